"""The whole catalog as one file: CSV, Parquet, DCAT-AP."""
