"""Replicas: whole sites in one SQLite file each, recorded, imported or made, to be replayed."""
