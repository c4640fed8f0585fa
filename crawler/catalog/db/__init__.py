"""The catalog's database: connections, models, views, the search index."""
