"""Data files as tables: what a file is, and what stands in it, read within bounds."""
