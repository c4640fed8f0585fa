"""What the office of Norvenia publishes about: topics, subtopics, measures, regions, breakdowns."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Lang(StrEnum):
    """The two languages of the country."""

    EN = "en"
    FR = "fr"

    @property
    def other(self) -> "Lang":
        """The language on the other side of the switch."""
        return Lang.FR if self is Lang.EN else Lang.EN


@dataclass(frozen=True, slots=True)
class Name:
    """One name in both languages, with the form it takes in a path."""

    en: str
    fr: str

    def of(self, lang: Lang) -> str:
        """The name in a language."""
        return self.en if lang is Lang.EN else self.fr

    def slug(self, lang: Lang) -> str:
        """The name as a path segment."""
        return slug(self.of(lang))


@dataclass(frozen=True, slots=True)
class Measure:
    """Something counted: where its figures start, how they grow each year, their decimals."""

    name: Name
    level: float
    growth: float
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Topic:
    """A branch of the statistics."""

    name: Name
    subtopics: tuple[Name, ...]
    measures: tuple[Measure, ...]


@lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """Lower-case ASCII words joined by dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _topic(name: str, subtopics: str, *measures: tuple[str, float, float, int]) -> Topic:
    return Topic(
        _name(name),
        tuple(_name(each) for each in subtopics.split("; ")),
        tuple(
            Measure(_name(label), level, growth, decimals)
            for label, level, growth, decimals in measures
        ),
    )


def _name(both: str) -> Name:
    en, fr = both.split(" | ")
    return Name(en, fr)


TOPICS = (
    _topic(
        "Population | Population",
        "Age and sex | Âge et sexe; Households | Ménages; Migration | Migrations; "
        "Projections | Projections",
        ("Resident population | Population résidente", 412_000, 0.006, 0),
        ("Net migration | Solde migratoire", 2_100, 0.011, 0),
        ("Private households | Ménages privés", 171_000, 0.009, 0),
    ),
    _topic(
        "Births and deaths | Naissances et décès",
        "Live births | Naissances vivantes; Mortality | Mortalité; "
        "Life expectancy | Espérance de vie; Marriages | Mariages",
        ("Live births | Naissances vivantes", 4_700, -0.004, 0),
        ("Deaths | Décès", 3_900, 0.003, 0),
        ("Life expectancy at birth | Espérance de vie à la naissance", 76.1, 0.0024, 1),
    ),
    _topic(
        "Economy | Économie",
        "National accounts | Comptes nationaux; Public finance | Finances publiques; "
        "Enterprises | Entreprises; Industry | Industrie",
        ("Gross domestic product | Produit intérieur brut", 9_800, 0.031, 1),
        ("Gross value added | Valeur ajoutée brute", 8_700, 0.03, 1),
        ("Industrial production index | Indice de la production industrielle", 84.0, 0.012, 1),
    ),
    _topic(
        "Prices | Prix",
        "Consumer prices | Prix à la consommation; Producer prices | Prix à la production; "
        "Housing prices | Prix du logement; Rents | Loyers",
        ("Consumer price index | Indice des prix à la consommation", 71.4, 0.021, 1),
        ("Producer price index | Indice des prix à la production", 78.9, 0.018, 1),
        ("Average rent | Loyer moyen", 412.0, 0.027, 2),
    ),
    _topic(
        "Labour | Travail",
        "Employment | Emploi; Unemployment | Chômage; Earnings | Salaires; "
        "Vacancies | Postes vacants",
        ("Employed persons | Personnes en emploi", 198_000, 0.008, 0),
        ("Unemployment rate | Taux de chômage", 6.8, -0.007, 1),
        ("Median monthly earnings | Salaire mensuel médian", 1_540.0, 0.026, 2),
    ),
    _topic(
        "Trade | Commerce",
        "Exports | Exportations; Imports | Importations; Retail | Commerce de détail; "
        "Services | Services",
        ("Exports of goods | Exportations de biens", 2_300, 0.038, 1),
        ("Imports of goods | Importations de biens", 2_500, 0.035, 1),
        ("Retail turnover index | Indice du chiffre d'affaires du détail", 82.0, 0.017, 1),
    ),
    _topic(
        "Health | Santé",
        "Hospitals | Hôpitaux; Causes of death | Causes de décès; "
        "Health spending | Dépenses de santé; Lifestyle | Mode de vie",
        ("Hospital discharges | Sorties d'hôpital", 38_000, 0.004, 0),
        ("Practising physicians | Médecins en exercice", 1_150, 0.013, 0),
        ("Health expenditure per head | Dépenses de santé par habitant", 890.0, 0.034, 2),
    ),
    _topic(
        "Education | Éducation",
        "Schools | Écoles; Universities | Universités; Apprentices | Apprentis; "
        "Attainment | Niveau de formation",
        ("Pupils enrolled | Élèves inscrits", 52_000, -0.002, 0),
        ("University degrees awarded | Diplômes universitaires délivrés", 2_400, 0.022, 0),
        ("Pupils per teacher | Élèves par enseignant", 16.4, -0.005, 1),
    ),
    _topic(
        "Energy | Énergie",
        "Electricity | Électricité; Consumption | Consommation; Renewables | Renouvelables; "
        "Energy prices | Prix de l'énergie",
        ("Electricity generation | Production d'électricité", 3_100, 0.012, 1),
        ("Final energy consumption | Consommation finale d'énergie", 5_800, -0.003, 1),
        ("Share of renewables | Part des renouvelables", 14.0, 0.025, 1),
    ),
    _topic(
        "Agriculture | Agriculture",
        "Crops | Cultures; Livestock | Cheptel; Farms | Exploitations; Forestry | Sylviculture",
        ("Wheat harvested | Blé récolté", 61_000, 0.005, 0),
        ("Dairy cows | Vaches laitières", 23_000, -0.008, 0),
        ("Agricultural holdings | Exploitations agricoles", 4_600, -0.019, 0),
    ),
    _topic(
        "Transport | Transports",
        "Roads | Routes; Railways | Chemins de fer; Ports | Ports; Accidents | Accidents",
        ("Registered passenger cars | Voitures immatriculées", 141_000, 0.017, 0),
        ("Rail passengers | Voyageurs ferroviaires", 310_000, 0.014, 0),
        ("Road accidents with injury | Accidents corporels", 1_900, -0.022, 0),
    ),
    _topic(
        "Environment | Environnement",
        "Air quality | Qualité de l'air; Waste | Déchets; Water | Eau; Climate | Climat",
        ("Greenhouse gas emissions | Émissions de gaz à effet de serre", 3_400, -0.012, 1),
        ("Municipal waste | Déchets municipaux", 190_000, 0.003, 0),
        ("Mean annual temperature | Température annuelle moyenne", 8.3, 0.0035, 1),
    ),
    _topic(
        "Housing | Logement",
        "Dwellings | Logements; Building permits | Permis de construire; Tenure | Occupation; "
        "Construction costs | Coûts de construction",
        ("Dwellings completed | Logements achevés", 2_050, 0.004, 0),
        ("Building permits issued | Permis de construire délivrés", 1_750, 0.006, 0),
        ("Construction cost index | Indice du coût de la construction", 69.0, 0.024, 1),
    ),
    _topic(
        "Tourism | Tourisme",
        "Arrivals | Arrivées; Accommodation | Hébergement; Campsites | Campings; "
        "Tourism spending | Dépenses touristiques",
        ("Tourist arrivals | Arrivées de touristes", 88_000, 0.024, 0),
        ("Overnight stays | Nuitées", 260_000, 0.021, 0),
        ("Average length of stay | Durée moyenne de séjour", 3.4, -0.004, 1),
    ),
    _topic(
        "Income | Revenus",
        "Household income | Revenu des ménages; Poverty | Pauvreté; "
        "Household budgets | Budget des ménages; Wealth | Patrimoine",
        ("Median disposable income | Revenu disponible médian", 14_200.0, 0.027, 0),
        ("At-risk-of-poverty rate | Taux de risque de pauvreté", 13.2, 0.002, 1),
        ("Household consumption | Consommation des ménages", 11_900.0, 0.025, 0),
    ),
    _topic(
        "Justice | Justice",
        "Crime | Criminalité; Courts | Tribunaux; Prisons | Prisons; Victims | Victimes",
        ("Recorded offences | Infractions enregistrées", 14_600, -0.009, 0),
        ("Court cases completed | Affaires jugées", 6_300, 0.002, 0),
        ("Prisoners per 100,000 | Détenus pour 100 000 habitants", 84.0, -0.004, 1),
    ),
)

REGIONS = tuple(
    _name(both)
    for both in (
        "Norvenia | Norvénie",
        "Ostrel Coast | Côte d'Ostrel",
        "Upper Vell | Haut-Vell",
        "Lower Vell | Bas-Vell",
        "Carrin | Carrin",
        "Sainte-Aude | Sainte-Aude",
        "Merrowland | Terre de Merrow",
        "Tarn Valley | Vallée de la Tarne",
        "Isles of Dray | Îles de Dray",
        "Kestrel Hills | Collines de Crécelle",
        "Port Lorne | Port-Lorne",
        "Fenwick Plain | Plaine de Fenouil",
    )
)
"""The country first, then its regions."""

BREAKDOWNS = tuple(
    _name(both)
    for both in (
        "by region | par région",
        "by year and region | par année et région",
        "by sex and region | par sexe et région",
        "long series | séries longues",
        "by municipality type | par type de commune",
        "provisional figures | chiffres provisoires",
        "final figures | chiffres définitifs",
        "by age group | par groupe d'âge",
    )
)
