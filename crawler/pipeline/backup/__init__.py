"""Backups: catalog, store, crawl states and the files that people wrote, in one folder; and back.

A backup may be made while crawls run, since everything is copied in the reverse order of writing. A
crawl writes a file to the store, then to the catalog, then to its state. The backup copies states
and snapshots first, then the catalog as it is at one moment, then the blobs that this catalog
names. So every file of a copied state is in the copied catalog, and all its bytes are in the copied
store. A state that is a little older than the catalog is what a killed crawl leaves, too.
"""
