"""Labels of links: root-to-link paths in the XPath fragment of paper 002 (Figure 5)."""

import re

MAX_LABEL = 4_000
"""Characters of a label; a longer one is cut off at its beginning, where pages are most alike."""

_ATTRIBUTES = {"iframe": "src", "frame": "src", "meta": "content"}
_TAG = re.compile(r"[a-z][a-z0-9_:-]{0,63}")
_ID = re.compile(r"[^\W\d_](?:[^\W\d]|[:-]){2,63}")
_NODE = re.compile(
    r"(?:\*|[a-z][a-z0-9_:-]{0,63})"
    r'(?:\[contains\(@id,"[^"\s]{1,64}"\)\]|\[@id\])?'
    r"(?:\[@class\])?"
)
_END = re.compile(r"@[a-z]{1,10}\{click")


def label_of(tag_path: str, *, ids: bool, classes: bool) -> str:
    """The label of a link, from its tag path such as `html body div#post-17 a.more`.

    Of an id only what stands before its first digit counts, as in the paper's `post-`: it names the
    template, and the number one page. Of classes it counts that there are some (Section 4.3).
    Empty for what is no link of a page, such as a URL of a sitemap.
    """
    if not tag_path.startswith("html"):
        return ""
    nodes = [_node(part, ids=ids, classes=classes) for part in tag_path.split(" ")]
    tag = nodes[-1].partition("[")[0]
    nodes.append(f"@{_ATTRIBUTES.get(tag, 'href')}{{click/}}")
    while sum(map(len, nodes)) + len(nodes) > MAX_LABEL:
        del nodes[0]
    return "/" + "/".join(nodes)


def _node(part: str, *, ids: bool, classes: bool) -> str:
    name, _, of_id = part.partition("#")
    tag, dot, _ = name.partition(".")
    of_id, dot_after_id, _ = of_id.partition(".")
    node = tag if _TAG.fullmatch(tag) else "*"
    if ids and "#" in part:
        letters = _ID.match(of_id)
        node += f'[contains(@id,"{letters[0]}")]' if letters else "[@id]"
    if classes and (dot or dot_after_id):
        node += "[@class]"
    return node


def is_label(text: str) -> bool:
    """Whether a text is a label as this module writes them."""
    if len(text) > MAX_LABEL + 1 or not text.startswith("/") or not text.endswith("/}"):
        return False
    *nodes, end = text[1:-2].split("/")
    return bool(nodes) and bool(_END.fullmatch(end)) and all(map(_NODE.fullmatch, nodes))
