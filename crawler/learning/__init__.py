"""What the crawl learns with: tag-path vectors, actions, sleeping bandit, URL classifier."""
