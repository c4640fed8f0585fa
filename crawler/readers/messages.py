"""What servers say instead of a file, under its name: not found, no access, try later."""

import json
import re
from typing import Any

LARGEST = 8 * 1024
_MAX_LINES = 12
# How the messages of servers, portals and databases begin, in the languages of offices.
_BEGINNINGS = (
    r"(?:http[ /]?[\d.]{0,3} )?[45]\d\d[ :-]+[^\W\d_]",
    r"(?:http[ /]?[\d.]{0,3} )?(?:error|status) (?:code )?[45]\d\d\b",
    r"(?:error|err|fehler|erreur|erro|errore|fout|fel|エラー|錯誤|错误|ошибка)"
    r"(?:\s*$|\s*[:!.(\[#]|\s+(?:no\.?\s*)?\d)",
    r"(?:an|internal|unexpected|unknown|fatal|server|database|parse|application|runtime|general)"
    r" [\w ]{0,30}?(?:error|exception|problem)\b",
    r"(?:uncaught|unhandled|java\.|javax\.|org\.|com\.|system\.)[\w.$ ]{0,80}(?:exception|error)\b",
    r"traceback \(most recent|ora-\d{5}|(?:warning|notice|fatal): |exception\b|failed to ",
    r"(?:(?:the|this|your|we|requested|sorry),? ){0,3}"
    r"(?:page|file|document|resource|request|url|object|service|site|session|dataset|data|access)"
    r" [\w ,'-]{0,40}?(?:not (?:found|exist|available)|unavailable|denied|forbidden|expired|blocked"
    r"|rejected|timed out|cannot be|could not be|has been (?:moved|removed|deleted))",
    r"(?:not found|access denied|forbidden|unauthori[sz]ed|permission denied"
    r"|bad (?:request|gateway)|service unavailable|gateway time-?out|request timed?[ -]?out"
    r"|too many requests|no such file"
    r"|no data (?:found|available)|no results? found|rate limit|login required|under maintenance"
    r"|invalid (?:request|parameter|url|id|token|key)|please (?:log in|try again))\b",
    r"(?:l[ea]s? |cette |ce |l['’])?"
    r"(?:page|fichier|document|ressource|service|accès|données?) [\w ,'’-]{0,40}?"
    r"(?:introuvable|non trouvée?|indisponible|interdit|refusé|inexistante?|n['’]existe|expirée?)",
    r"une erreur|(?:accès|acces) (?:refus|interdit)|non autorisé|aucune? (?:donnée|résultat)",
    r"(?:d(?:ie|er|as) |diese[rs]? )?(?:angeforderte )?"
    r"(?:seite|datei|dokument|dienst|zugriff|zugang|daten) [\w ,-]{0,40}?"
    r"(?:nicht (?:gefunden|verfügbar|erreichbar|erlaubt|vorhanden)|verweigert|verboten|existiert)",
    r"ein (?:interner )?fehler|es ist ein fehler|nicht gefunden|keine daten",
    r"(?:la |el |los |o |a |il )?(?:p[áa]gina|archivo|arquivo|documento|recurso|servicio|serviço"
    r"|acceso|acesso|datos|risorsa|file) [\w ,-]{0,40}?"
    r"(?:(?:no|não) encontrad[oa]|no disponible|denegado|negado|prohibido|(?:no|não) existe"
    r"|non trovat[oa]|non disponibile)",
    r"se ha producido un error|ha ocurrido un error|ocorreu um erro|si è verificato",
    r".{0,30}(?:見つかりません|存在しません|アクセスできません|アクセスが拒否|拒否されました)",
    r".{0,30}(?:エラーが発生|表示できません|ご利用いただけません|無法找到|找不到|不存在|拒绝访问)",
    r".{0,30}(?:не найден|доступ запрещ)",
)
_PHRASES = re.compile(rf"\W{{0,3}}(?:{'|'.join(_BEGINNINGS)})", re.IGNORECASE)
_SAYS_ERROR = {
    "error",
    "errors",
    "errormessage",
    "error_message",
    "exception",
    "fault",
    "traceback",
}
_SAYS_STATUS = {"status", "statuscode", "status_code", "code", "success", "ok"}
_SAYS_TEXT = {"message", "msg", "detail", "details", "title", "description", "reason"}
_ERROR_ROOTS = {
    "error",
    "errors",
    "errorresponse",
    "exception",
    "exceptionreport",
    "serviceexception",
    "serviceexceptionreport",
    "fault",
    "oai-pmherror",
    "apierror",
}


def is_error_text(text: str) -> bool:
    """Whether a whole short text is what a server says when it has no file."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines or len(lines) > _MAX_LINES or len(text) > LARGEST:
        return False
    if len(lines) > 3 and not _is_trace(text):
        return False
    return _PHRASES.match(lines[0].strip()) is not None and len(lines[0]) < 500


def is_error_json(text: str) -> bool:
    """Whether a whole short JSON document tells an error, and no data."""
    if len(text) > LARGEST:
        return False
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(document, str):
        return is_error_text(document)
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    if not isinstance(document, dict):
        return False
    return _is_error({str(key).lower(): value for key, value in document.items()})


def is_error_root(name: str) -> bool:
    """Whether the root element of an XML document says that it is an error."""
    return name.lower() in _ERROR_ROOTS


def _is_error(document: dict[str, Any]) -> bool:
    if any(isinstance(value, list) and len(value) > 1 for value in document.values()):
        return any(document.get(key) for key in _SAYS_ERROR & {"errors"}) and len(document) <= 3
    if any(document.get(key) for key in _SAYS_ERROR):
        return True
    texts = [value for key, value in document.items() if key in _SAYS_TEXT and value]
    if any(_is_failure(document[key]) for key in _SAYS_STATUS & document.keys()):
        return bool(texts) or len(document) <= 2
    others = document.keys() - _SAYS_TEXT - _SAYS_STATUS - {"type", "instance", "path", "timestamp"}
    return not others and any(isinstance(text, str) for text in texts)


def _is_failure(status: Any) -> bool:
    if status is False:
        return True
    word = str(status).lower()
    return word[:1] in "45" and word[:3].isdigit() if len(word) == 3 else word in ("error", "fail")


def _is_trace(text: str) -> bool:
    return (
        re.search(r"(?m)^\s+at [\w.$<>]+\(|Stack trace|Traceback|on line \d+|ORA-\d", text)
        is not None
    )
