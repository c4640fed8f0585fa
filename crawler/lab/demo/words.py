"""What the site's own pages are called and say, in both languages."""

from crawler.lab.demo.plan import Section
from crawler.lab.demo.topics import Name

OFFICE = Name("Office of Statistics of Norvenia", "Office de la statistique de Norvénie")

SECTIONS = {
    Section.NEWS: Name("News", "Actualités"),
    Section.PRESS: Name("Press", "Presse"),
    Section.EVENTS: Name("Events", "Agenda"),
    Section.GLOSSARY: Name("Glossary", "Glossaire"),
    Section.METHODS: Name("Methodology", "Méthodologie"),
    Section.STAFF: Name("Staff directory", "Annuaire"),
    Section.CAREERS: Name("Careers", "Emplois"),
    Section.ABOUT: Name("About us", "À propos"),
    Section.BULK: Name("Bulk downloads", "Téléchargements groupés"),
}
STATISTICS = Name("Statistics", "Statistiques")
RELEASES = Name("Release calendar", "Calendrier de diffusion")
ARCHIVE = Name("Archive", "Archives")
DOWNLOADS = Name("Downloads", "Téléchargements")
DATASETS = Name("Datasets", "Jeux de données")
QUICK_TABLES = Name("Quick tables", "Tableaux rapides")
RELATED = Name("Related pages", "Pages liées")
LATEST = Name("Latest", "À la une")
NEXT = Name("Next page", "Page suivante")
PREVIOUS = Name("Previous page", "Page précédente")
FOLLOW = Name("Follow us", "Suivez-nous")
OLDER = Name("Older tables", "Tableaux plus anciens")
SEARCH = Name("Search", "Recherche")
INTERNAL = Name("Staff area", "Espace du personnel")
PREVIEW = Name("Table preview", "Aperçu du tableau")
NOT_FOUND = Name("Page not found", "Page introuvable")
GONE = Name("This page was withdrawn", "Cette page a été retirée")
LANGUAGE = Name("English", "Français")

ABOUT_PAGES = (
    Name("Contact", "Nous joindre"),
    Name("Legal notice", "Mentions légales"),
    Name("Privacy", "Confidentialité"),
    Name("Accessibility", "Accessibilité"),
    Name("Organisation", "Organisation"),
    Name("Mission and law", "Mission et loi"),
    Name("History of the office", "Histoire de l'office"),
    Name("Quality policy", "Politique de qualité"),
    Name("Open licence", "Licence ouverte"),
)

HEADLINES = {
    Section.NEWS: (
        Name("New figures on {topic} published", "Nouveaux chiffres publiés: {topic}"),
        Name("What the year brought for {topic}", "Bilan de l'année: {topic}"),
        Name("{topic} in {region} at a glance", "En bref, {region}: {topic}"),
        Name("Five facts about {topic}", "Cinq faits: {topic}"),
    ),
    Section.PRESS: (
        Name("Press release on {topic}", "Communiqué de presse: {topic}"),
        Name("Statement of the director on {topic}", "Déclaration de la direction: {topic}"),
        Name("Press briefing in {region}", "Point de presse, {region}"),
        Name("Correction of a report on {topic}", "Rectificatif: {topic}"),
    ),
    Section.EVENTS: (
        Name("Conference on {topic}", "Conférence: {topic}"),
        Name("Open day in {region}", "Journée portes ouvertes, {region}"),
        Name("User committee for {topic}", "Comité des utilisateurs: {topic}"),
    ),
    Section.GLOSSARY: (
        Name("{measure}", "{measure}"),
        Name("Reference period of {topic}", "Période de référence: {topic}"),
        Name("Sampling error in {topic}", "Erreur d'échantillonnage: {topic}"),
    ),
    Section.METHODS: (
        Name("Survey methodology for {topic}", "Méthode d'enquête: {topic}"),
        Name("Quality report on {topic}", "Rapport de qualité: {topic}"),
        Name("Seasonal adjustment of {topic}", "Correction saisonnière: {topic}"),
    ),
    Section.STAFF: (
        Name("Unit for {topic}", "Unité: {topic}"),
        Name("Regional office in {region}", "Bureau régional, {region}"),
    ),
    Section.CAREERS: (
        Name("Statistician for {topic}", "Statisticien: {topic}"),
        Name("Interviewer in {region}", "Enquêteur, {region}"),
    ),
    Section.BULK: (
        Name("All tables on {topic}", "Tous les tableaux: {topic}"),
        Name("Census tables for {region}", "Tableaux du recensement, {region}"),
        Name("Yearbook tables on {topic}", "Tableaux de l'annuaire: {topic}"),
    ),
}

SENTENCES = (
    Name(
        "The figures for {region} were compiled from administrative registers and a sample survey.",
        "Les chiffres pour {region} proviennent de registres administratifs et d'une enquête.",
    ),
    Name(
        "Compared with the previous year, {measure} changed by {rate:.1f} per cent.",
        "Par rapport à l'année précédente, la variation est de {rate:.1f} pour cent ({measure}).",
    ),
    Name(
        "In {region}, the change was less marked than in the country as a whole.",
        "L'évolution est moins marquée dans la région {region} que dans l'ensemble du pays.",
    ),
    Name(
        "Provisional results are revised when the final accounts of {year} are closed.",
        "Les résultats provisoires sont révisés à la clôture des comptes de {year}.",
    ),
    Name(
        "The office thanks the households and enterprises that took part in the survey of {year}.",
        "L'office remercie les ménages et les entreprises qui ont participé à l'enquête de {year}.",
    ),
    Name(
        "Definitions follow the international recommendations in force since {year}.",
        "Les définitions suivent les recommandations internationales en vigueur depuis {year}.",
    ),
    Name(
        "Differences between totals and the sum of their parts are due to rounding.",
        "Les écarts entre les totaux et la somme de leurs parties tiennent aux arrondis.",
    ),
    Name(
        "A break in the series of {measure} in {year} limits comparisons over time.",
        "Une rupture de série en {year} limite les comparaisons dans le temps ({measure}).",
    ),
)
