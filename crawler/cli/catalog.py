"""`tallyho catalog`: find files, know where they came from, and get them."""

from crawler.cli.lazy_group import LazyCommand, lazy_app

app = lazy_app(
    "Find acquired files, their history and their origin, and get them.",
    LazyCommand("catalog_search:search", "Search the catalog; without words, list it."),
    LazyCommand("catalog_news:news", "List what is new, changed or gone, the latest first."),
    LazyCommand("catalog_file:show", "Print all that is known about a file."),
    LazyCommand("catalog_file:history", "List the versions of a file, the newest first."),
    LazyCommand("catalog_diff:diff", "Compare two versions of a file."),
    LazyCommand("catalog_file:get", "Download a file from the store."),
    LazyCommand(
        "catalog_package:package", "Download what a search finds, as a Frictionless data package."
    ),
    LazyCommand("catalog_cite:cite", "Print a citation of a file."),
    LazyCommand("catalog_cite:lookup", "Find files by their address, or by the SHA-256."),
    LazyCommand("catalog_export:export", "Write the whole catalog as one file."),
    LazyCommand("catalog_upkeep:remove", "Take a file down: its bytes go, its record stays."),
    LazyCommand(
        "catalog_upkeep:verify", "Compare catalog and store: nothing missing, nothing extra."
    ),
    LazyCommand("catalog_upkeep:upgrade", "Bring the catalog's tables to this version of Tallyho."),
    LazyCommand(
        "catalog_upkeep:downgrade", "Take the catalog's tables back to an earlier revision."
    ),
    LazyCommand("catalog_upkeep:reindex", "Make the search index anew, or finish it."),
    LazyCommand("catalog_upkeep:retention", "Delete the bytes of old versions."),
)
