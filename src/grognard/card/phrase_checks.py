"""Checks of the phrases of a card: their blanks, in both languages and as the rules fill them."""

from collections.abc import Iterator

from grognard.card.card import Card, shared_phrases
from grognard.files.value_path import Problem
from grognard.words.blanks import blanks_of
from grognard.words.message import say
from grognard.words.text import LANGS, Text

# Blanks of a phrase for an option, besides those of its question.
OF_OPTIONS = frozenset(("unit", "n", "rest", "names", "parts"))


def phrases(card: Card) -> Iterator[Problem]:
    """Check every phrase: each brace has its partner, and the blanks are those that are filled."""
    for id_, text in card.phrases.items():
        path = ("phrases", id_)
        try:
            en, fr = (blanks_of(text.in_(lang)) for lang in LANGS)
        except ValueError:
            problem = say("a brace of '{id}' has no partner; expected blanks like {{unit}}", id=id_)
            yield problem, path
            continue
        if en != fr:
            problem = say(
                "the blanks of '{id}' differ: {en} and {fr}", id=id_, en=_listed(en), fr=_listed(fr)
            )
            yield problem, path
        elif card.procedures and (unknown := en - _given(id_)):
            problem = say(
                "'{id}' has blanks that nothing fills: {unknown}; known: {known}",
                id=id_,
                unknown=_listed(unknown),
                known=_listed(_given(id_)),
            )
            yield problem, path


def _given(id_: str) -> frozenset[str]:
    """Name the blanks that the shared rules fill in a phrase."""
    shared = shared_phrases()
    if id_ in shared:
        return _of(shared[id_])
    if id_.startswith("adds-"):
        return frozenset(("value",))
    question, option, _ = id_.partition(".")
    if option and question in shared:
        return _of(shared[question]) | OF_OPTIONS
    return frozenset()


def _of(text: Text) -> frozenset[str]:
    return blanks_of(text.en)


def _listed(blanks: frozenset[str]) -> str:
    return ", ".join(f"{{{blank}}}" for blank in sorted(blanks)) or "-"
