"""`tallyho lab`: synthetic and recorded sites, without touching anyone's server."""

from crawler.cli.lazy_group import LazyCommand, lazy_app

app = lazy_app(
    "Practise on synthetic sites, served on this machine only.",
    LazyCommand("lab_serve:serve", "Serve a synthetic site on this machine until Ctrl-C."),
    LazyCommand("lab_compare:compare", "Count what strategies need for 90% of a site's targets."),
    LazyCommand(
        "lab_revisit:revisit", "Count how much of what is new each revisit strategy finds."
    ),
    LazyCommand(
        "lab_record:record", "Record a whole site into one file, to compare strategies on it."
    ),
    LazyCommand(
        "lab_import:import_",
        "Import a replica of the paper's reference implementation.",
        name="import",
    ),
    LazyCommand("lab_import:export", "Export a replica for the paper's reference implementation."),
    LazyCommand("lab_synth:synth", "Make a site after one of paper 000."),
    LazyCommand("lab_synth:statistics", "Count the statistics of Tables I and V of paper 000."),
)
