"""The catalog in a browser: pages rendered on the server, and the same as a JSON API."""
