"""Links that lead to no page: dead pages, dead files and pictures."""

from dataclasses import dataclass

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.chance import Stream
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.kinds import Holder
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Section

_PICTURES = 0.1
_BEYOND = 1_000_000
"""Dead numbers come from here on above the living; few of them are ever met twice."""


@dataclass(frozen=True, slots=True)
class DeadLink:
    """One of them."""

    path: str
    title: str
    like_file: bool


class Rot:
    """The dead links of a site: they look like the living ones."""

    def __init__(self, addresses: Addresses, holdings: Holdings) -> None:
        self._profile = addresses.kind.profile
        self._addresses = addresses
        self._holdings = holdings
        self._leafy = [each for each in addresses.sections if each.holder is Holder.LEAF]

    def links(self, stream: Stream, section: Section | None) -> list[DeadLink]:
        """The dead links of one page."""
        count = int(self._profile.neither_per_page + stream.fraction())
        return [self._link(stream, section) for _ in range(count)]

    def _link(self, stream: Stream, section: Section | None) -> DeadLink:
        number = stream.number()
        if stream.fraction() < self._profile.neither_like_files:
            owner = section or stream.pick(self._addresses.sections)
            slot = number % owner.slots
            beyond = self._holdings.count(owner, slot) + 1 + (number >> 40) % 999_000
            path = self._addresses.file_path(File(owner.origin, slot, beyond))
            return DeadLink(path, self._addresses.title(owner, "leaf", slot), like_file=True)
        if stream.fraction() < _PICTURES:
            return DeadLink(f"/image/{number % 10**9}", "", like_file=False)
        owner = section if section and section.holder is Holder.LEAF else stream.pick(self._leafy)
        slot = owner.slots + number % _BEYOND
        path = self._addresses.path(Page(Place.LEAF, owner.number, slot))
        return DeadLink(path, self._addresses.title(owner, "leaf", slot), like_file=False)
