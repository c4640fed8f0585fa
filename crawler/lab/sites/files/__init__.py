"""The data files of synthetic sites: their formats, figures and bytes."""
