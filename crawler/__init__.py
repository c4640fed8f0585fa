"""Tallyho: acquires open statistics from the web, every night, by itself."""
