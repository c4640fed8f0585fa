"""`tallyho lab`: synthetic and recorded sites, without touching anyone's server."""

from crawler.cli.lazy_group import LazyCommand, lazy_app

app = lazy_app(
    "Practise on synthetic sites, served on this machine only.",
    LazyCommand("serve", "lab_serve:serve", "Serve a synthetic site on this machine until Ctrl-C."),
    LazyCommand(
        "compare",
        "lab_compare:compare",
        "Count what strategies need for 90% of a site's targets.",
    ),
    LazyCommand(
        "revisit",
        "lab_revisit:revisit",
        "Count how much of what is new each revisit strategy finds.",
    ),
    LazyCommand(
        "record",
        "lab_record:record",
        "Record a whole site into one file, to compare strategies on it.",
    ),
    LazyCommand(
        "import",
        "lab_import:import_",
        "Import a replica of the paper's reference implementation.",
    ),
    LazyCommand(
        "export",
        "lab_import:export",
        "Export a replica for the paper's reference implementation.",
    ),
    LazyCommand("synth", "lab_synth:synth", "Make a site after one of paper 000."),
    LazyCommand(
        "statistics",
        "lab_synth:statistics",
        "Count the statistics of Tables I and V of paper 000.",
    ),
)
