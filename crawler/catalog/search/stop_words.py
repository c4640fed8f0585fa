"""Words of a question that say nothing of its subject, in the languages that people ask in."""

from crawler.catalog.search.words import words_asked


def _set(text: str) -> frozenset[str]:
    return frozenset(words_asked(text, limit=None))


# Words that mean something in another language are left out: car, war, men, man, die, hat, son.
STOP_WORDS = _set(
    """
    a an the of in on at by for from to into with without within over under between among across
    and or not no as is are was were be been being has have had do does did can could should would
    will may might must shall this that these those there here it its their his her our your my i
    you he she we they me us them who whom whose which what when where why how many much more most
    any some all each every per about than then so such if whether please find show give get need
    want look looking search list tell know see would like im there's s d l t m qu
    le la les un une des du de dans au aux et ou en par pour sur sous entre avec sans selon vers
    chez est sont etait ont sera ce cet cette ces il elle ils elles on nous vous je me mon ma mes
    notre nos votre vos leur leurs qui que quoi dont quel quelle quels quelles combien comment
    quand pourquoi y se sa ses ne pas plus tres chaque tous toutes depuis pendant cherche donne
    trouver montrer voir
    der das den dem des ein eine einer eines einem einen und oder im von vom zu zum zur mit ohne
    nach bei auf aus fur uber unter zwischen pro je ist sind waren wird werden wurde hatte haben
    wie wieviel wieviele viel viele was wer wo wann warum welche welcher welches welchen ich wir
    sie es sich nicht auch alle alles als bis durch gegen seit gibt suche zeige finde
    el los las una unos unas del y o en con sin por para segun entre sobre desde hasta hacia es
    son era eran fue ha han hay que cual cuales cuanto cuantos cuanta cuantas como cuando donde
    quien su sus mi mis nuestro se lo al cada todos todas buscar mostrar
    il lo gli i uno di dei degli delle della dello dal dalla nel nella nei nelle al alla ai alle
    con senza per tra fra e o sono era erano che quale quali quanto quanti quanta quante come
    quando dove chi si ogni tutti tutte da su
    os as um uma uns umas do da dos das no na nos nas ao aos com sem por para pelo pela entre
    sobre desde ate e ou sao era eram foi que qual quais quanto quantos quanta quantas como
    quando onde quem seu sua cada todos todas em
    het een van op te bij naar uit voor door tegen tussen over zonder zijn was waren wordt worden
    heeft hebben hoe hoeveel wat wie waar wanneer waarom welke ik wij zij niet ook alle elke
    och av for med pa till fran ett den det som hur manga vad vem var nar eller
    """
)
"""They are left out of a question, unless there is nothing else in it."""

# Words of asking for data rather than of the data; where a title has them, so much the better.
SOFT_WORDS = _set(
    """
    data dataset datasets database statistic statistics statistical stats figure figures number
    numbers table tables file files spreadsheet spreadsheets download downloads information info
    latest newest recent current available official details breakdown broken level levels
    evolution development trend trends amount year years time period
    donnees donnee chiffre chiffres statistique statistiques nombre tableau tableaux fichier
    fichiers recent recents derniere dernieres dernier derniers actuel evolution annee annees
    daten datei dateien statistik statistiken zahl zahlen anzahl tabelle tabellen aktuelle
    aktuellen neueste entwicklung angaben jahr jahre
    datos dato cifra cifras estadistica estadisticas numero cuadro cuadros tabla tablas archivo
    reciente evolucion ano anos
    dati dato statistica statistiche numero tabella tabelle recente evoluzione anno anni
    dados dado estatistica estatisticas numero tabela tabelas recente evolucao
    gegevens cijfers aantal tabel tabellen statistiek statistieken jaar jaren
    """
)
"""They need not be there, unless there is nothing else in the question."""
