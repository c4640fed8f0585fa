"""The error of a reader: what keeps a file, or a part of it, from being read."""

from crawler.errors import NotATable
from crawler.readers.content import Trouble


class Unreadable(NotATable):
    """A file that cannot be read, with the kind of trouble and a sentence about it."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(f"the file cannot be read: {detail}")
        self.trouble = trouble
        self.detail = detail

    def __reduce__(self) -> "tuple[type[Unreadable], tuple[Trouble, str]]":
        # Errors cross process borders, and pickle would call the class with the message alone.
        return type(self), (self.trouble, self.detail)


def said(error: BaseException) -> str:
    """What a library says of its failure, in one short line."""
    text = " ".join(str(error).split())[:200].rstrip(" .")
    return text or type(error).__name__
