"""Which columns tell the place that the figures are about: by their name, or by their values."""

import re
from collections.abc import Collection

from crawler.validation.time_columns import words_of

_NAME_TEXT = """
country countries nation territory territories geo geography geographic region regions state
states county counties municipality municipalities province provinces district districts city
cities area refarea nuts nuts0 nuts1 nuts2 nuts3 lau lau1 lau2 iso iso2 iso3 fips insee codegeo
pays région régions departement département départements departements commune communes canton
cantons territoire arrondissement zone ville libgeo epci land länder bundesland bundesländer kreis
kreise gemeinde gemeinden gebiet staat staaten bezirk regierungsbezirk stadt ags país paises
países región regiones provincia provincias municipio municipios comunidad comarca territorio
paese paesi regione regioni comune comuni província concelho distrito freguesia estado cidade
município municípios landen regio gemeente gemeenten provincie wijk kraj powiat gmina województwo
kommun län lan kommune fylke kunta maakunta 国 国名 地域 都道府県 市区町村 県 地域コード 団体コード
страна регион область
地区 省 省份
"""
_ISO2_TEXT = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW EL UK XK EU EA EU27 EU28 EA19 EA20 EU27_2020
"""
_ISO3_TEXT = """
ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR
BHR BHS BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG
COK COL COM CPV CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH
FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY
HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM
KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL
MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR
NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU
SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA
TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB
VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE XKX OECD WLD EU27
"""
_COUNTRY_TEXT = """
afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas
bahrain bangladesh barbados belarus belgium belize benin bhutan bolivia botswana brazil brunei
bulgaria burundi cambodia cameroon canada chad chile china colombia congo croatia cuba cyprus
czechia denmark djibouti ecuador egypt eritrea estonia eswatini ethiopia fiji finland france gabon
gambia georgia germany ghana greece grenada guatemala guinea guyana haiti honduras hungary iceland
india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo kuwait
kyrgyzstan laos latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg madagascar
malawi malaysia maldives mali malta mauritania mauritius mexico moldova monaco mongolia montenegro
morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oman pakistan
panama paraguay peru philippines poland portugal qatar romania russia rwanda samoa senegal serbia
seychelles singapore slovakia slovenia somalia spain sudan suriname sweden switzerland syria
taiwan tajikistan tanzania thailand togo tonga tunisia turkey türkiye turkmenistan uganda ukraine
uruguay uzbekistan vanuatu venezuela vietnam yemen zambia zimbabwe allemagne autriche belgique
bulgarie chypre croatie danemark espagne estonie finlande grèce hongrie irlande italie lettonie
lituanie malte pays-bas pologne roumanie slovaquie slovénie suède tchéquie suisse norvège islande
japon chine brésil mexique inde russie maroc algérie tunisie royaume-uni deutschland österreich
belgien bulgarien zypern kroatien dänemark spanien estland finnland frankreich griechenland ungarn
irland italien lettland litauen niederlande polen rumänien slowakei slowenien schweden tschechien
schweiz norwegen island brasilien mexiko indien russland alemania austria bélgica dinamarca españa
francia grecia hungría irlanda italia japón noruega polonia rumania suecia suiza turquía alemanha
espanha itália frança 日本 中国 韓国 アメリカ合衆国 フランス ドイツ
"""
_COUNTRIES_OF_SEVERAL_WORDS = """
united kingdom
united states
united states of america
south africa
new zealand
south korea
korea, rep.
saudi arabia
sri lanka
costa rica
czech republic
russian federation
north macedonia
european union
euro area
viet nam
bosnia and herzegovina
hong kong
united arab emirates
côte d'ivoire
reino unido
"""
_NAMES = frozenset(_NAME_TEXT.split())
_CODES = frozenset(_ISO2_TEXT.split()) | frozenset(_ISO3_TEXT.split())
_COUNTRIES = frozenset(_COUNTRY_TEXT.split()) | frozenset(
    filter(None, _COUNTRIES_OF_SEVERAL_WORDS.splitlines())
)
_NUTS = re.compile(r"([A-Z]{2})[0-9A-Z]{0,3}")
_CODE_WORDS = frozenset({"code", "id", "nr", "no", "number", "num", "cod"})
_CODE_SHARE = 0.9
_NAME_SHARE = 0.6
_FEWEST = 3


def is_geography(name: str, values: Collection[str], *, numeric: bool) -> bool:
    """Whether a column names places; `values` are some distinct ones of it."""
    words = words_of(name)
    named = any(word in _NAMES for word in words)
    if numeric:  # a code of a place; `area km2` is a figure
        return named and all(word in _NAMES or word in _CODE_WORDS for word in words)
    return named or are_places(values)


def are_places(values: Collection[str]) -> bool:
    """Whether values are the codes or names of countries, or codes of their regions."""
    distinct = {value.strip() for value in values if value.strip()}
    if len(distinct) < _FEWEST:
        return False
    iso = sum(value in _CODES for value in distinct)
    if iso >= _CODE_SHARE * len(distinct):
        return True
    nuts = sum(
        (match := _NUTS.fullmatch(value)) is not None and match[1] in _CODES for value in distinct
    )
    # Codes of anything may look like NUTS; real ones come from few countries and have digits.
    if nuts >= _CODE_SHARE * len(distinct) and any(map(str.isdigit, "".join(distinct))):
        return True
    countries = sum(value.lower() in _COUNTRIES for value in distinct)
    return countries >= _NAME_SHARE * len(distinct)
