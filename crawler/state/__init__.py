"""The crawl's durable state: one SQLite file per site, one transaction per step."""
