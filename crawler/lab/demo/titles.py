"""Titles, dates and prose of pages and files: what each number is called."""

from dataclasses import dataclass

from crawler.lab.demo.chance import Chance
from crawler.lab.demo.plan import Plan, Section
from crawler.lab.demo.topics import BREAKDOWNS, REGIONS, TOPICS, Lang, Measure, Name, Topic
from crawler.lab.demo.words import ABOUT_PAGES, HEADLINES, SENTENCES

NEWEST_MONTH = 2025 * 12 + 11
"""December 2025, counted in months: the site's present."""


@dataclass(frozen=True, slots=True)
class Titles:
    """Names for everything that has a number."""

    plan: Plan
    chance: Chance

    def topic(self, topic: int) -> Topic:
        """The topic with this number."""
        return TOPICS[topic]

    def subtopic(self, subtopic: int) -> Name:
        """The name of a subtopic; large sites have them per region too."""
        topic, turn = subtopic % self.plan.topics, subtopic // self.plan.topics
        names = TOPICS[topic].subtopics
        name = names[turn % len(names)]
        if turn < len(names):
            return name
        region = REGIONS[turn // len(names)]
        return Name(f"{name.en}: {region.en}", f"{name.fr}: {region.fr}")

    def measure(self, topic: int, *name: str | int) -> Measure:
        """The measure of a topic that belongs to a name."""
        return self.chance.pick(TOPICS[topic].measures, "measure", *name)

    def dataset(self, dataset: int) -> Name:
        """The title of a dataset page."""
        measure = self.measure(self.plan.topic_of_dataset(dataset), "dataset", dataset).name
        breakdown = self.chance.pick(BREAKDOWNS, "breakdown", dataset)
        year, _ = self.dataset_month(dataset)
        return Name(f"{measure.en} {breakdown.en}, {year}", f"{measure.fr} {breakdown.fr}, {year}")

    def dataset_month(self, dataset: int) -> tuple[int, int]:
        """Year and month of a dataset's release; archived ones are older than the calendar."""
        if dataset < self.plan.current:
            return month_of(dataset % self.plan.months)
        return month_of(self.plan.months + self.chance.below(120, "archived", dataset))

    def item(self, section: Section, item: int) -> Name:
        """The title of an item of a section."""
        if section is Section.ABOUT:
            return ABOUT_PAGES[item]
        draw = self.chance.number("item", section.value, item)
        headline = HEADLINES[section][draw % len(HEADLINES[section])]
        topic = TOPICS[draw // 7 % self.plan.topics]
        region = REGIONS[draw // 131 % len(REGIONS)]
        measure = topic.measures[draw // 1511 % len(topic.measures)].name
        return Name(
            headline.en.format(topic=topic.name.en, region=region.en, measure=measure.en),
            headline.fr.format(topic=topic.name.fr, region=region.fr, measure=measure.fr),
        )

    def item_month(self, section: Section, item: int) -> tuple[int, int]:
        """Year and month of a news item or the like, the newest first."""
        count = self.plan.items[section]
        span = min(252, max(12, count // 4))
        return month_of(item * span // count)

    def prose(self, lang: Lang, paragraphs: int, topic: int, *name: str | int) -> str:
        """A few paragraphs of the kind that statistics offices write."""
        stream = self.chance.stream("prose", *name)
        measures = [measure.name.of(lang).lower() for measure in TOPICS[topic].measures]
        written = []
        for _ in range(paragraphs):
            draws = (stream.number() for _ in range(3 + stream.number() % 4))
            sentences = " ".join(_sentence(draw, lang, measures) for draw in draws)
            written.append(f"<p>{sentences}</p>")
        return "\n".join(written)


def _sentence(draw: int, lang: Lang, measures: list[str]) -> str:
    """The sentence that belongs to one number: different bits of it choose different words."""
    return (
        SENTENCES[draw % len(SENTENCES)]
        .of(lang)
        .format(
            region=REGIONS[(draw >> 8) % len(REGIONS)].of(lang),
            measure=measures[(draw >> 16) % len(measures)],
            rate=(draw >> 24) % 60 / 10 - 2,
            year=2008 + (draw >> 32) % 17,
        )
    )


def month_of(ago: int) -> tuple[int, int]:
    """Year and month, so many months before the site's present."""
    month = NEWEST_MONTH - ago
    return month // 12, month % 12 + 1
