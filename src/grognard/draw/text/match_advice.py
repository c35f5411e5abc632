"""Advice in words: why a planned attack, and what an attack of the enemy would do."""

from collections.abc import Iterator

from grognard.card.card import Card
from grognard.draw.text.chances import assumed_columns, column_words, lit_words, plain_percent
from grognard.draw.text.match import verb_text, word_text
from grognard.fights.table_place import table_places
from grognard.maps.board import Map
from grognard.matches.field import Field
from grognard.matches.protocol import END, Order, Words
from grognard.matches.sight import as_seen
from grognard.players.advice import Advice, AdvisedAttack, Danger
from grognard.players.sergeant import routine_order
from grognard.rules.fight import Fight
from grognard.words.message import Message, say
from grognard.words.numbers import decimal
from grognard.words.text import Lang, colon, semicolon


def attack_words(one: AdvisedAttack | Danger, sheet: Map, lang: Lang) -> str:
    """Describe an attack: its hex, its column, its chances and the losses to be expected."""
    hex_ = one.target if isinstance(one, AdvisedAttack) else one.hex
    units, words = ", ".join(one.units), expected_words(one.fight, lang)
    if isinstance(one, AdvisedAttack):
        words = reason_words(one, sheet, lang)
    return f"{sheet.number(hex_)} ({units}){colon(lang)}{words}"


def reason_words(attack: AdvisedAttack, sheet: Map, lang: Lang) -> str:
    """Say why an attack: what it is expected to do, and what it leaves open to the enemy."""
    leaves = _open_words(attack, sheet, lang).in_(lang)
    return f"{expected_words(attack.fight, lang)}{semicolon(lang)}{leaves}"


def _open_words(attack: AdvisedAttack, sheet: Map, lang: Lang) -> Message:
    reply = attack.leaves_open
    if reply is None:
        return say("leaves nothing open to a good attack")
    hex_, places = sheet.number(reply.hex), table_places(reply.fight.play())
    column = lit_words(places, reply.fight.case.card, lang) if places else ""
    if not column:
        return say("leaves {hex} open to an attack", hex=hex_)
    return say("leaves {hex} open to {column}", hex=hex_, column=column)


def column_label(fight: Fight, lang: Lang) -> str:
    """Name the column of an attack, and the one that its odds assume; empty where no table decides
    it."""
    places, card = table_places(fight.play()), fight.case.card
    if not places:
        return ""
    lit = lit_words(places, card, lang)
    sure = places.open and len(places.chances) == 1
    return f"{lit} → {assumed_columns(places, card, lang)}" if sure else lit


def chance_label(fight: Fight, lang: Lang) -> str:
    """Write the chance that an attack takes its hex, or else clears it; empty if it can't."""
    odds = fight.odds()
    chance = odds.chance("taken") or odds.chance("vacated")
    return plain_percent(chance, lang) if chance else ""


def expected_words(fight: Fight, lang: Lang) -> str:
    """Say what an attack is expected to do."""
    odds, card = fight.odds(), fight.case.card
    taken, vacated = odds.chance("taken"), odds.chance("vacated")
    places = table_places(fight.play())
    parts = [column_words(places, card, lang)] if places else []
    if taken:
        parts.append(
            say("takes the hex with {chance}", chance=plain_percent(taken, lang)).in_(lang)
        )
    elif vacated:
        parts.append(
            say("clears the hex with {chance}", chance=plain_percent(vacated, lang)).in_(lang)
        )
    ours, theirs = (
        decimal(float(odds.expected(f"{side}_steps_lost")), 1, lang)
        for side in ("attacker", "defender")
    )
    losses = say(
        "{what} on average: attacker {ours}, defender {theirs}",
        what=card.phrase("losses"),
        ours=ours,
        theirs=theirs,
    )
    parts.append(losses.in_(lang))
    return semicolon(lang).join(part for part in parts if part)


def routine_of(field: Field, ask: Order) -> Words | None:
    """Give the next order that every automatic player gives before it plans, such as an arrival;
    None where there is none."""
    order = routine_order(field, as_seen(field, ask), list(ask.orders.deeds()))
    return None if order == END else order


def routine_words(order: Words, card: Card, lang: Lang) -> str:
    """Name an order that needs no plan."""
    return " ".join(
        [verb_text(card, order[0], lang), *(word_text(card, w, lang) for w in order[1:])]
    )


def advice_lines(found: Advice, field: Field, ask: Order, lang: Lang) -> Iterator[str]:
    """Describe a whole plan for the terminal."""
    sheet, first = ask.board.map, routine_of(field, ask)
    if first:
        yield say("first: {order}", order=routine_words(first, field.card, lang)).in_(lang)
    elif not (found.moves or found.attacks):
        yield say("nothing is worth doing: end the phase").in_(lang)
    for move in found.moves:
        yield f"{move.unit}{colon(lang)}{sheet.number(move.start)} → {sheet.number(move.to)}"
    for attack in found.attacks:
        when = say("attack") if attack.now else say("then attack")
        yield f"{when.in_(lang)} {attack_words(attack, sheet, lang)}"
    yield from danger_lines(found.dangers, sheet, lang)


def danger_lines(found: tuple[Danger, ...], sheet: Map, lang: Lang) -> Iterator[str]:
    """Describe the attacks that the enemy could make."""
    if not found:
        yield say("no attack of the enemy would be worth while").in_(lang)
    heading = say("the enemy could attack").in_(lang)
    yield from (f"{heading} {attack_words(danger, sheet, lang)}" for danger in found)
