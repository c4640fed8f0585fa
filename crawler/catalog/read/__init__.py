"""What pages, API, commands and Python read from the catalog."""
