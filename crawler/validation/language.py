"""The language of a file: by its script, or by small words and the words of headers.

No model and no dictionary: a table has few words, and most of them are names. Words of one letter
do not count, since they are codes as often. Where too few words are found, or two languages have as
many, nothing is said.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

MAX_CHARACTERS = 20_000
_MIN_POINTS = 1.6
"""One word of a header alone is not enough: SDMX says OBS_VALUE in every language."""
_AHEAD = 1.3
"""The best needs this many times the points of the second, or no language is reported."""

_SMALL_WORDS = {
    "en": "the of and in to for by is are was from with on at not per other than all total",
    "fr": "le la les de des du et en un une dans par pour sur au aux est hors ensemble avec selon "
    "ou",
    "de": "der die das und in von den des im für mit nach auf ist nicht je insgesamt zum zur ohne "
    "oder",
    "es": "el la los las de del en por para con según una un al se total sin más",
    "it": "il lo la gli le di del della dei delle in per con da al nel totale secondo non",
    "pt": "os as de do da dos das em por para com no na segundo total não ao",
    "nl": "de het een en van in op voor met naar per niet totaal bij zijn te",
    "sv": "och av för med på per efter samt inte totalt till från den ett",
    "da": "og af for med på efter samt ikke alt til fra den et",
    "pl": "na do dla oraz według ogółem nie od po przez ze",
    "cs": "na pro podle celkem ne od po ze se je",
    "fi": "ja on ei sekä mukaan yhteensä tai myös",
    "hu": "és az szerint összesen nem vagy",
    "ro": "și de la în pe din pentru total cu ale",
}
_HEADER_WORDS = {
    "en": "year value country sex age population month quarter unit measure rate number source "
    "note births deaths employment unemployment prices households income region date name "
    "people share "
    "price change previous female male women men persons status description type index",
    "fr": "année annee valeur pays sexe âge mois trimestre unité taux nombre source région "
    "commune départements naissances décès chômage emploi ménages prix libellé effectif ans "
    "prix variation femmes hommes femme homme libelle population indice montant",
    "de": "jahr wert land geschlecht alter bevölkerung monat quartal einheit anzahl quelle "
    "gemeinde geburten arbeitslose preise haushalte bezeichnung kreis insgesamt jahre "
    "preis veränderung vorjahr art frauen männer weiblich männlich personen gebiet zeitraum betrag",
    "es": "año valor país sexo edad población mes trimestre unidad tasa número fuente región "
    "municipio nacimientos defunciones paro empleo precios hogares años "
    "precio variación mujeres hombres tipo importe índice",
    "it": "anno valore paese sesso età popolazione mese unità tasso numero fonte regione comune "
    "nascite decessi prezzi famiglie territorio anni "
    "prezzo variazione donne uomini femmine maschi importo indice",
    "pt": "ano valor país sexo idade população mês unidade taxa número fonte região município "
    "nascimentos óbitos desemprego preços famílias anos "
    "preço variação mulheres homens tipo montante índice",
    "nl": "jaar waarde geslacht leeftijd bevolking maand kwartaal eenheid aantal bron gemeente "
    "geboorten werkloosheid prijzen huishoudens jaren perioden regio "
    "prijs verandering vrouwen mannen totaal onderwerp bedrag",
    "sv": "år värde kön ålder befolkning månad kvartal enhet antal källa kommun",
    "da": "år værdi køn alder befolkning måned kvartal enhed antal kilde",
    "pl": "rok wartość płeć wiek ludność miesiąc kwartał jednostka liczba źródło",
    "cs": "rok hodnota pohlaví věk obyvatelstvo měsíc čtvrtletí jednotka počet zdroj",
    "fi": "vuosi arvo sukupuoli ikä väestö kuukausi neljännes yksikkö määrä lähde",
    "hu": "év érték nem kor népesség hónap negyedév egység szám forrás",
    "ro": "an valoare sex vârstă populație lună trimestru unitate număr sursa",
}
_LETTERS = {
    "ß": ("de",), "ä": ("de", "fi", "sv"), "ö": ("de", "fi", "hu", "sv"), "ü": ("de", "hu"),
    "è": ("fr", "it"), "ê": ("fr", "pt"), "œ": ("fr",), "ç": ("fr", "pt"), "à": ("fr", "it"),
    "ñ": ("es",), "ã": ("pt",), "õ": ("pt",), "ò": ("it",), "ì": ("it",), "ë": ("nl", "fr"),
    "å": ("da", "sv"), "ø": ("da",), "æ": ("da",), "ł": ("pl",), "ą": ("pl",), "ę": ("pl",),
    "ř": ("cs",), "ě": ("cs",), "ů": ("cs",), "ő": ("hu",), "ű": ("hu",), "ă": ("ro",),
    "ș": ("ro",), "ț": ("ro",),
}  # fmt: skip
_LETTER_WORTH = 0.8
LANGUAGES = (*sorted(_SMALL_WORDS), "ar", "el", "he", "ja", "ko", "ru", "th", "uk", "zh")
"""The languages that are recognised, as ISO 639-1 codes."""

_SCRIPTS = (
    ("ja", re.compile(r"[\u3041-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("el", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
_UKRAINIAN = re.compile(r"[іїєґІЇЄҐ]")
# Kanji alone are Chinese or Japanese; these are written so in Japan only.
_KANJI = re.compile(r"[県円実単査総齢込済圏働価]")
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPT_SHARE = 0.15


def _points() -> dict[str, dict[str, float]]:
    """Word to language to points; a word of several languages counts less in each."""
    languages: dict[str, set[str]] = {}
    weights: dict[str, float] = {}
    for table, weight in ((_SMALL_WORDS, 1.0), (_HEADER_WORDS, 1.5)):
        for language, words in table.items():
            for word in words.split():
                languages.setdefault(word, set()).add(language)
                weights[word] = max(weight, weights.get(word, 0))
    return {
        word: dict.fromkeys(found, weights[word] / len(found)) for word, found in languages.items()
    }


_POINTS = _points()


def language_of(texts: Iterable[str]) -> str:
    """The ISO 639-1 code of the language that these texts are written in, or nothing."""
    text = _beginning(texts)
    letters = sum(map(str.isalpha, text))
    if not letters:
        return ""
    for language, script in _SCRIPTS:
        if len(script.findall(text)) >= _SCRIPT_SHARE * letters:
            return _refined(language, text)
    return _by_words(text)


def _refined(language: str, text: str) -> str:
    if language == "ru" and _UKRAINIAN.search(text):
        return "uk"
    if language == "zh" and (_KANJI.search(text) or _SCRIPTS[0][1].search(text)):
        return "ja"
    return language


def _by_words(text: str) -> str:
    points: dict[str, float] = defaultdict(float)
    # A word that is in every row tells no more than one that is there once.
    for word in set(_WORD.findall(text.lower())):
        for language, worth in _POINTS.get(word, {}).items():
            points[language] += worth
    for letter, languages in _LETTERS.items():
        if letter in text.lower():
            for language in languages:
                points[language] += _LETTER_WORTH / len(languages)
    ranked = sorted(points.items(), key=lambda one: -one[1])[:2]
    if not ranked or ranked[0][1] < _MIN_POINTS:
        return ""
    if len(ranked) > 1 and ranked[0][1] < _AHEAD * ranked[1][1]:
        return ""
    return ranked[0][0]


def _beginning(texts: Iterable[str]) -> str:
    parts: list[str] = []
    length = 0
    for text in texts:
        parts.append(text[: MAX_CHARACTERS - length])
        length += len(parts[-1]) + 1
        if length >= MAX_CHARACTERS:
            break
    return "\n".join(parts)
