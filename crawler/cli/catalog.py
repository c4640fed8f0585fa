"""`tallyho catalog`: find files, know where they came from, and get them."""

from crawler.cli.lazy_group import LazyCommand, lazy_app

app = lazy_app(
    "Find acquired files, their history and their origin, and get them.",
    LazyCommand("search", "catalog_search:search", "Search the catalog; without words, list it."),
    LazyCommand(
        "news", "catalog_news:news", "List what is new, changed or gone, the latest first."
    ),
    LazyCommand("show", "catalog_file:show", "Print all that is known about a file."),
    LazyCommand(
        "history", "catalog_file:history", "List the versions of a file, the newest first."
    ),
    LazyCommand("diff", "catalog_diff:diff", "Compare two versions of a file."),
    LazyCommand("get", "catalog_file:get", "Download a file from the store."),
    LazyCommand(
        "package",
        "catalog_package:package",
        "Download what a search finds, as a Frictionless data package.",
    ),
    LazyCommand(
        "cite",
        "catalog_cite:cite",
        "Print a citation of a file.",
    ),
    LazyCommand(
        "lookup",
        "catalog_cite:lookup",
        "Find files by their address, or by the SHA-256.",
    ),
    LazyCommand("export", "catalog_export:export", "Write the whole catalog as one file."),
    LazyCommand(
        "remove", "catalog_upkeep:remove", "Take a file down: its bytes go, its record stays."
    ),
    LazyCommand(
        "verify",
        "catalog_upkeep:verify",
        "Compare catalog and store: nothing missing, nothing extra.",
    ),
    LazyCommand(
        "upgrade",
        "catalog_upkeep:upgrade",
        "Bring the catalog's tables to this version of Tallyho.",
    ),
    LazyCommand(
        "downgrade",
        "catalog_upkeep:downgrade",
        "Take the catalog's tables back to an earlier revision.",
    ),
    LazyCommand("reindex", "catalog_upkeep:reindex", "Make the search index anew, or finish it."),
    LazyCommand("retention", "catalog_upkeep:retention", "Delete the bytes of old versions."),
)
