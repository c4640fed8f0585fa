"""SQL over the tables in acquired files, and over the catalog itself, with DuckDB."""
