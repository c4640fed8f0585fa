"""What a crawl and a validation write into the catalog."""
