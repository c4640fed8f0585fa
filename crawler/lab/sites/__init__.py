"""The one generator of sites: every page and file is a function of kind, size and seed.

`kinds.py` says what kinds there are, `site.py` answers requests. Nothing is stored, so a site of a
million pages opens at once.
"""
