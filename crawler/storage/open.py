"""The object store that a URL names."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from crawler.errors import ConfigError
from crawler.storage.interface import ObjectStore
from crawler.storage.local_folder import LocalFolder


def open_store(store_url: str, *, endpoint: str | None, spool_dir: Path) -> ObjectStore:
    """A folder for file:///path, a bucket for s3://bucket/prefix.

    `spool_dir` is for S3; a folder has its spools inside, where an atomic step can reach them.
    """
    parts = urlsplit(store_url)
    if parts.scheme == "file":
        return LocalFolder(Path(url2pathname(parts.path)))
    if parts.scheme == "s3" and parts.netloc:
        # boto3 takes half a second to import, and most commands do without.
        from crawler.storage.s3 import S3Store

        return S3Store(parts.netloc, parts.path.strip("/"), spool_dir=spool_dir, endpoint=endpoint)
    raise ConfigError("a store is file:///path/to/folder or s3://bucket/prefix")
