"""Nights over sites that change: how much of what is new each revisit strategy finds, and when."""
