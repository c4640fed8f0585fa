"""What synthetic sites say, in the languages of the sites that they model."""

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """One language: the words of menus, sections and titles."""

    home: str
    next: str
    previous: str
    related: str
    latest: str
    featured: str
    see_also: str
    files: str
    releases: str
    fixed: tuple[str, ...]
    data: tuple[str, ...]
    """Names of sections whose purpose is data."""
    mixed: tuple[str, ...]
    plain: tuple[str, ...]
    subjects: tuple[str, ...]
    forms: tuple[str, ...]
    text: tuple[str, ...]
    """Sentences for paragraphs."""


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


WORDS = {
    "en": Words(
        "Home",
        "Next",
        "Previous",
        "Related pages",
        "Latest",
        "In focus",
        "See also",
        "Downloads",
        "Release calendar",
        _split("Contact|Legal notice|Privacy|Accessibility|Help"),
        _split("Data tools|Statistics|Tables|Data archive"),
        _split("Research papers|Publications|Reports|Bulletins"),
        _split("News|Press room|Events|About us|Careers|Blog|Projects"),
        _split(
            "population|births|prices|housing|employment|wages|trade|exports|energy|water|health|"
            "schools|tourism|farming|fisheries|transport|crime|justice|elections|income|poverty|"
            "migration|families|pensions|enterprises|industry|construction|services|research|climate|"
            "forests|waste|culture|sport|regions|cities|households|debt|taxes|accounts"
        ),
        _split(
            "survey|index|census|overview|annual report|estimates|indicators|forecast|review|"
            "monthly figures|quarterly figures|methodology|briefing|series|yearbook|outlook"
        ),
        _split(
            "The figures are revised once a year.|Results are published by region and by age.|"
            "The survey covers all households of the country.|More is said in the notes.|"
            "Seasonal effects were removed.|The next release is due in spring.|"
            "Comparisons with earlier years need care.|The office thanks all who answered."
        ),
    ),
    "fr": Words(
        "Accueil",
        "Suivant",
        "Précédent",
        "Pages liées",
        "À la une",
        "En vue",
        "Voir aussi",
        "Téléchargements",
        "Calendrier de diffusion",
        _split("Nous joindre|Mentions légales|Confidentialité|Accessibilité|Aide"),
        _split("Statistiques|Bulletin officiel|Tableaux|Données"),
        _split("Publications|Études|Rapports|Documentation"),
        _split("Actualités|Presse|Agenda|Le ministère|Recrutement|Blog|Dossiers"),
        _split(
            "population|naissances|prix|logement|emploi|salaires|commerce|exportations|énergie|eau|"
            "santé|écoles|tourisme|agriculture|pêche|transports|sécurité|justice|élections|revenus|"
            "pauvreté|migrations|familles|retraites|entreprises|industrie|construction|services|"
            "recherche|climat|forêts|déchets|culture|sport|régions|villes|ménages|dette|impôts|comptes"
        ),
        _split(
            "enquête|indice|recensement|synthèse|rapport annuel|estimations|indicateurs|prévision|"
            "bilan|note mensuelle|note trimestrielle|méthode|dossier|série|annuaire|perspectives"
        ),
        _split(
            "Les chiffres sont révisés une fois par an.|Les résultats paraissent par région.|"
            "L'enquête porte sur tous les ménages.|Les notes en disent davantage.|"
            "Les effets saisonniers ont été retirés.|La prochaine parution est au printemps.|"
            "Les comparaisons demandent de la prudence.|Merci à tous ceux qui ont répondu."
        ),
    ),
    "es": Words(
        "Inicio",
        "Siguiente",
        "Anterior",
        "Páginas relacionadas",
        "Novedades",
        "Destacado",
        "Véase también",
        "Descargas",
        "Calendario de publicaciones",
        _split("Contacto|Aviso legal|Privacidad|Accesibilidad|Ayuda"),
        _split("Estadísticas|Cuadros|Datos|Archivo de datos"),
        _split("Publicaciones|Estudios|Informes|Boletines"),
        _split("Noticias|Prensa|Agenda|Quiénes somos|Empleo público|Blog|Proyectos"),
        _split(
            "población|nacimientos|precios|vivienda|empleo|salarios|comercio|exportaciones|energía|"
            "agua|salud|escuelas|turismo|agricultura|pesca|transporte|delitos|justicia|elecciones|"
            "ingresos|pobreza|migración|familias|pensiones|empresas|industria|construcción|servicios"
        ),
        _split(
            "encuesta|índice|censo|resumen|informe anual|estimaciones|indicadores|previsión|"
            "revisión|cifras mensuales|metodología|nota|serie|anuario"
        ),
        _split(
            "Las cifras se revisan una vez al año.|Los resultados se publican por región.|"
            "La encuesta cubre todos los hogares.|Las notas dicen más.|"
            "La próxima publicación será en primavera."
        ),
    ),
    "de": Words(
        "Startseite",
        "Weiter",
        "Zurück",
        "Verwandte Seiten",
        "Neues",
        "Im Blickpunkt",
        "Siehe auch",
        "Herunterladen",
        "Veröffentlichungskalender",
        _split("Kontakt|Impressum|Datenschutz|Barrierefreiheit|Hilfe"),
        _split("Statistiken|Tabellen|Daten|Datenarchiv"),
        _split("Veröffentlichungen|Studien|Berichte|Bulletins"),
        _split("Nachrichten|Presse|Termine|Über uns|Stellenangebote|Blog|Projekte"),
        _split(
            "Bevölkerung|Geburten|Preise|Wohnen|Beschäftigung|Löhne|Handel|Ausfuhren|Energie|Wasser|"
            "Gesundheit|Schulen|Tourismus|Landwirtschaft|Fischerei|Verkehr|Kriminalität|Justiz|Wahlen|"
            "Einkommen|Armut|Migration|Familien|Renten|Unternehmen|Industrie|Bauwesen|"
            "Dienstleistungen|Forschung|Klima|Wälder|Abfall|Kultur|Sport|Regionen|Städte|Haushalte|"
            "Schulden|Steuern|Konten"
        ),
        _split(
            "Erhebung|Index|Zensus|Überblick|Jahresbericht|Schätzungen|Indikatoren|Prognose|Rückblick|"
            "Monatszahlen|Quartalszahlen|Methodik|Kurzbericht|Reihe|Jahrbuch|Ausblick"
        ),
        _split(
            "Die Zahlen werden jährlich überarbeitet.|Die Ergebnisse erscheinen nach Regionen.|"
            "Die Erhebung umfasst alle Haushalte.|Mehr steht in den Anmerkungen.|"
            "Saisonale Einflüsse wurden entfernt.|Die nächste Veröffentlichung ist im Frühjahr."
        ),
    ),
    "ar": Words(
        "الرئيسية",
        "التالي",
        "السابق",
        "صفحات ذات صلة",
        "الأحدث",
        "مختارات",
        "انظر أيضا",
        "تنزيلات",
        "تقويم الإصدارات",
        _split("اتصل بنا|إشعار قانوني|الخصوصية|إمكانية الوصول|مساعدة"),
        _split("الإحصاءات|الجداول|البيانات|الأرشيف"),
        _split("المنشورات|الدراسات|التقارير|النشرات"),
        _split("الأخبار|الصحافة|الفعاليات|من نحن|الوظائف|المدونة|المشاريع"),
        _split("السكان|المواليد|الأسعار|الإسكان|العمل|الأجور|التجارة|الصادرات|الطاقة|المياه|الصحة"),
        _split("مسح|مؤشر|تعداد|ملخص|تقرير سنوي|تقديرات|مؤشرات|مراجعة"),
        _split("تراجع الأرقام مرة كل عام.|تنشر النتائج حسب المنطقة.|يغطي المسح جميع الأسر."),
    ),
}

_OTHER = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """A title as it stands in a URL; empty where nothing of it is Latin."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _OTHER.sub("-", plain).strip("-")
