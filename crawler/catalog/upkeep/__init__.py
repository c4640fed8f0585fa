"""Verification, retention, takedowns and tidying of the catalog."""
