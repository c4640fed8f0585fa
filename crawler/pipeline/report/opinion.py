"""What a crawl takes a URL for: by the classifier of `sb`, or by the models of `tallyho`."""

from dataclasses import dataclass

from crawler.config.strategy import TallyhoConfig
from crawler.pages.mime import UrlClass
from crawler.pipeline.crawl.identity import strategy_of
from crawler.state.crawl_state import CrawlState
from crawler.state.records import LinkRow
from crawler.strategies.interface import NO_ACTION


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a URL is taken for, and what following it seems to be worth."""

    url_class: UrlClass
    chance: float | None = None
    """Probability of being a target; only `tallyho` estimates it."""
    worth: float | None = None
    """The score by which the frontier of `tallyho` is ordered."""


def opinion_of(state: CrawlState, url: str, link: LinkRow | None = None) -> Opinion | None:
    """What the crawl takes a URL for now; None when its strategy learns nothing of the kind."""
    return _by_classifier(state, url) or _by_scores(state, url, link)


def _by_classifier(state: CrawlState, url: str) -> Opinion | None:
    model = state.model()
    if model is None:
        return None
    # numpy takes a moment to import, and a crawl that has learned nothing does not need it.
    from crawler.learning.url_classifier import TARGET, UrlClassifier, Weights

    classifier = UrlClassifier()
    weights = Weights(model.coefficients, model.intercept, model.steps)
    classifier.load(weights, model.trainings, [])
    is_target = classifier.predict([url])[0] == TARGET
    return Opinion(UrlClass.TARGET if is_target else UrlClass.HTML)


def _by_scores(state: CrawlState, url: str, link: LinkRow | None) -> Opinion | None:
    if next(state.weights(), None) is None:
        return None
    from crawler.learning.link_features import features_of, shape_of
    from crawler.learning.yield_model import AT_PAR, YieldModel
    from crawler.strategies.saved_weights import weights_of

    model = YieldModel()
    model.load(weights_of(state))
    tag_path = state.tag_path(link.tag_path) if link else ""
    anchor = link.anchor if link else ""
    shape = shape_of(tag_path)
    actions = (known.id for known in state.actions() if shape_of(known.path) == shape)
    page_action = state.link(link.parent).action if link and link.parent else NO_ACTION
    row = features_of(url, anchor, tag_path, next(actions, NO_ACTION), page_action)
    chance = float(model.chances(row[None])[0])
    # A URL that the crawl has not found has no number yet.
    worth = float(model.worth(row[None], [link.id if link else AT_PAR])[0])
    identity = state.identity()
    strategy = strategy_of(identity) if identity else None
    tallyho = strategy if isinstance(strategy, TallyhoConfig) else TallyhoConfig()
    is_target = chance > tallyho.certainty
    return Opinion(UrlClass.TARGET if is_target else UrlClass.HTML, chance, worth)
