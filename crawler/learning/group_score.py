"""The names of the score functions of paper 001; the functions are in `group_bandit.py`."""

from enum import StrEnum


class Score(StrEnum):
    """The paper's functions that estimate what a group will give: a site, or links of a site."""

    SUCCESS_RATE = "success_rate"
    NEGATIVE_ABSOLUTE_BAD = "negative_absolute_bad"
    BEST_SCORE = "best_score"
    THOMPSON_SAMPLING = "thompson_sampling"
    ABSOLUTE_GOOD_BEST_SCORE = "absolute_good_best_score"
    THOMPSON_SAMPLING_BEST_SCORE = "thompson_sampling_best_score"
    SUCCESS_RATE_BEST_SCORE = "success_rate_best_score"
