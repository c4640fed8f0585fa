"""One site's crawl: lock, lease, state, fetching, keeping, snapshots."""
