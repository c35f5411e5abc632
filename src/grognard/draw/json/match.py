"""A match as the JSON that every face speaks: how it stands, what is asked, what happened."""

from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from grognard.card.card import Card, encode_hook
from grognard.card.rows import Side
from grognard.draw.json.fight import (
    Json,
    asked_json,
    explanation_json,
    line_json,
    odds_json,
    options_json,
    play_json,
)
from grognard.draw.svg import symbols as svg_symbols
from grognard.fights.explain import explain
from grognard.fights.record import plain
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.scenario import MARKS, Player, Scenario
from grognard.matches import orders
from grognard.matches.field import Field, Order, Roles, Verdict, Words
from grognard.matches.look_ahead import look_ahead
from grognard.matches.match import Match, Reply
from grognard.matches.seats import Seats, plays_itself
from grognard.rules.ask import Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.rules.wording import named, question
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, Text

NOBODY = Seats()

# ------------------------------------------------------------------ scenarios and sides


def scenario_json(scenario: Scenario, card: Card, lang: Lang) -> Json:
    """Give what there is to know before a match of a scenario begins."""
    chosen = card.chosen(scenario.options)
    return {
        **_named_scenario(scenario, card, lang),
        "about": scenario.about.in_(lang),
        "units": len(scenario.units),
        "sides": sides_json(scenario, lang),
        "options": [
            {
                "id": option.id,
                "text": option.text.in_(lang),
                "rule": option.rule,
                "chosen": chosen[option.id],
                "choices": [{"id": c.id, "text": c.text.in_(lang)} for c in option.choices],
            }
            for option in card.options
        ],
    }


def _named_scenario(scenario: Scenario, card: Card, lang: Lang) -> Json:
    return {
        "id": scenario.id,
        "name": scenario.name.in_(lang),
        "game": scenario.game,
        "game_name": card.name.in_(lang),
        "turns": scenario.turns,
    }


def sides_json(scenario: Scenario, lang: Lang) -> list[Json]:
    """Give the two sides with their marks, in the order of play."""
    return [
        {"id": side.id, "name": side.name.in_(lang), "mark": mark, "colour": side.colour}
        for side, mark in zip(scenario.sides, MARKS, strict=True)
    ]


def seats_json(scenario: Scenario, autos: Collection[str], lang: Lang) -> list[Json]:
    """Give the two sides of a match, and which of them play themselves."""
    return [{**side, "automatic": side["id"] in autos} for side in sides_json(scenario, lang)]


# ------------------------------------------------------------------ how it stands


def match_json(match: Match, lang: Lang, seats: Seats = NOBODY) -> Json:
    """Give how a match stands."""
    field, board = match.field, match.board
    points = field.verdict(board).points
    sides = seats_json(field.scenario, seats.autos, lang)
    undo = match.undo_problem(seats.autos)
    return {
        "scenario": _named_scenario(field.scenario, field.card, lang),
        "options": field.options,
        "sides": [{**side, "points": points[str(side["id"])]} for side in sides],
        **_when(match, lang),
        "roles": match.roles._asdict(),
        "asking": asking_json(match, lang, seats),
        "fight": _present_fight(match, lang),
        "pieces": [_piece_json(board, piece, _strengths(field), lang) for piece in board.pieces],
        "objectives": [
            {
                "hex": objective.hex,
                "points": objective.points,
                "text": objective.text.in_(lang),
                "holder": board.holders.get(board.map.hex(objective.hex)),
            }
            for objective in field.scenario.objectives
        ],
        "holders": {board.map.number(hex_): side for hex_, side in board.holders.items()},
        "pools": board.pools,
        "stores": _stores(board, field.card, lang),
        "undo": {"possible": undo is None, "reason": undo and undo.in_(lang)},
        "verdict": None if match.asking else verdict_json(field, match.verdict(), lang),
    }


def _stores(board: Board, card: Card, lang: Lang) -> list[Json]:
    """Give what sides have beside the map, where the card has a name for it."""
    return [
        {"id": id_, "text": card.phrases[f"pool-{id_}"].in_(lang), "left": left}
        for id_, left in board.pools.items()
        if f"pool-{id_}" in card.phrases
    ]


def last_order(match: Match) -> Order | None:
    """Give the order that is asked for, or was last."""
    if isinstance(match.asking, Order):
        return match.asking
    asks = (entry.ask for entry in reversed(match.log) if isinstance(entry, Reply))
    return next((ask for ask in asks if isinstance(ask, Order)), None)


def _when(match: Match, lang: Lang) -> Json:
    """Give turn, phase and whose turn it is; between two orders those of the last one."""
    order = last_order(match)
    if order is None:
        return {"turn": 1, "phase": None, "side": match.roles.attacker}
    phase = {"id": order.phase, "text": match.field.card.phrase(order.phase).in_(lang)}
    return {"turn": order.turn, "phase": phase, "side": order.side}


def _present_fight(match: Match, lang: Lang) -> Json | None:
    play = match.play
    if play is None:
        return None
    told = {key: value for key, value in play_json(play, lang).items() if key != "asking"}
    return {**_fight_json(play.start, lang), **told}


def _fight_json(fight: Fight, lang: Lang) -> Json:
    return {
        "stated": stated_json(fight),
        "explanation": explanation_json(explain(fight), lang),
    }


def stated_json(fight: Fight) -> Json:
    """Give what a file would state to set up a fight."""
    case = fight.case
    setup: Json = msgspec.to_builtins(case.setup, enc_hook=encode_hook)
    stated = {"game": case.card.id, "procedure": case.procedure.id, "options": dict(case.options)}
    return {**stated, **setup}


def _strengths(field: Field) -> Mapping[str, int]:
    return {unit.name: unit.steps or len(unit.faces) for unit in field.scenario.units}


def _piece_json(board: Board, piece: Piece, strengths: Mapping[str, int], lang: Lang) -> Json:
    return {
        "name": piece.name,
        "side": piece.side,
        "hex": None if piece.at is None else board.map.number(piece.at),
        "steps": piece.steps,
        "full": strengths[piece.name],
        "alive": piece.alive,
        "states": [_state_json(state, lang) for state in sorted(piece.states)],
        "kind": piece.kind,
        "class": piece.unit_class,
        "size": piece.size,
        "formation": piece.formation,
        "nation": piece.nation,
        "move": piece.move,
        "face": piece.face,
        "arrives": piece.arrives,
        "entry": [board.map.number(hex_) for hex_ in piece.entry],
    }


def _state_json(state: str, lang: Lang) -> Json:
    brief = svg_symbols.brief(state)
    text = svg_symbols.ACTED.in_(lang) if brief else svg_symbols.state_name(state, lang)
    return {"id": state, "text": text, "brief": brief}


def verdict_json(field: Field, verdict: Verdict, lang: Lang) -> Json:
    """Give how a match ended."""
    words = verdict_words(field, verdict).in_(lang)
    return {"winner": verdict.winner, "points": dict(verdict.points), "text": words}


def verdict_words(field: Field, verdict: Verdict) -> Message:
    """Say who won."""
    if verdict.winner is None:
        return say("a draw")
    return say("victory: {side}", side=_player(field, verdict.winner).name)


def order_heading(field: Field, ask: Order) -> Message:
    """Say whose turn and which phase it is."""
    return say(
        "Turn {turn}, {side}, {phase}",
        turn=ask.turn,
        side=_player(field, ask.side).name,
        phase=field.card.phrase(ask.phase),
    )


def _player(field: Field, side: str) -> Player:
    return next(player for player in field.scenario.sides if player.id == side)


# ------------------------------------------------------------------ what is asked


def asking_json(match: Match, lang: Lang, seats: Seats = NOBODY) -> Json | None:
    """Give the open question and its legal answers; the sides are those of the match."""
    if match.asking is None:
        return None
    asked = _asked(match, match.asking, lang, seats)
    return {**asked, "automatic": plays_itself(match, seats)}


def _asked(match: Match, ask: Order | Ask, lang: Lang, seats: Seats) -> Json:
    card = match.field.card
    match ask:
        case Order():
            text = order_heading(match.field, ask).in_(lang)
            orders_ = orders_json(card, ask, lang)
            return {"ask": "order", "text": text, "rule": None, "side": ask.side, "orders": orders_}
        case Roll():
            return {**asked_json(card, ask, lang), "side": match.roles.attacker}
        case Choose():
            data = {**asked_json(card, ask, lang), "side": match.asked, "role": ask.side}
            numbers = (str(option) for option in ask.options)
            return {**data, "hexes": all(map(match.board.map.has, numbers))}
        case Commit():
            data = asked_json(card, ask, lang)
            del data["options"]
            menus = (("attacker", ask.attacker), ("defender", ask.defender))
            data["sides"] = [
                {
                    "id": side,
                    "role": role,
                    "given": side in seats.given,
                    "automatic": side in seats.autos,
                    "options": options_json(card, ask, menu, lang),
                }
                for side, (role, menu) in zip(match.roles, menus, strict=True)
            ]
            return data


def orders_json(card: Card, ask: Order, lang: Lang) -> list[Json]:
    """Give the verbs that may be ordered now, what each takes, and who and what may be named."""
    kinds: dict[tuple[str, ...], list[Words]] = {}
    for order in ask.orders.all():
        kinds.setdefault((order[0], *_takes(ask.board, order)), []).append(order)
    return [
        {
            "verb": verb,
            "text": verb_text(card, verb, lang),
            "takes": takes,
            **(_named_in(takes, found) if takes else {}),
        }
        for (verb, *takes), found in kinds.items()
    ]


def verb_text(card: Card, verb: str, lang: Lang) -> str:
    """Name an order in the reader's language."""
    return card.phrase(f"order-{verb}").in_(lang)


def word_text(card: Card, word: str, lang: Lang) -> str:
    """Name what follows the verb; hexes and units have no other name."""
    return (card.wording(word) or Text(word, word)).in_(lang)


def _takes(board: Board, order: Words) -> list[str]:
    """Tell what the words after the verb are; after a hex any number of units may follow."""
    units = {piece.name for piece in board.pieces}
    kinds = [
        "unit" if word in units else "hex" if board.map.has(word) else "word" for word in order[1:]
    ]
    if len(kinds) > 1 and kinds[0] == "hex" and set(kinds[1:]) == {"unit"}:
        return ["hex", "units"]
    return kinds


def _named_in(takes: list[str], found: list[Words]) -> Json:
    """Name the units that may act; but for plain moves also what goes with each first word."""
    first = {order[1]: None for order in found}
    if takes in (["unit"], ["unit", "hex"]):
        return {"units": [*first]}
    pairs: dict[str, dict[str, None]] = {word: {} for word in first}
    for order in found:
        rest = order[2:] if takes[-1] != "hex" else order[2:-1]
        pairs[order[1]] |= dict.fromkeys(rest)
    acting = first if takes[0] == "unit" else {}
    if takes[-1] == "units":
        acting = {name: None for names in pairs.values() for name in names}
    return {"units": [*acting], "pairs": {word: [*names] for word, names in pairs.items()}}


# ------------------------------------------------------------------ what happened


def log_json(match: Match, lang: Lang, since: int = 0) -> list[Json]:
    """Give what was told and answered, from an entry on; each entry carries its number."""
    first, second = match.field.scenario.sides
    return list(_entries(match.field, match.log, Roles(first.id, second.id), lang, since))


def _entries(
    field: Field, log: Iterable[Line | Reply | Roles], roles: Roles, lang: Lang, since: int = 0
) -> Iterator[Json]:
    for n, entry in enumerate(log):
        if isinstance(entry, Roles):
            roles = entry
        elif n >= since:
            yield {"n": n, **_entry(field, entry, roles, lang)}


def _entry(field: Field, entry: Line | Reply, roles: Roles, lang: Lang) -> Json:
    if isinstance(entry, Reply):
        return _given_json(field, entry, roles, lang)
    data = {"entry": "line", **line_json(entry, lang)}
    return {**data, "role": entry.side, "side": _of(roles, entry.side)} if entry.side else data


def _of(roles: Roles, side: Side) -> str:
    return roles.attacker if side == "attacker" else roles.defender


def _given_json(field: Field, given: Reply, roles: Roles, lang: Lang) -> Json:
    ask, answer, card = given.ask, given.answer, field.card
    if isinstance(ask, Order):
        words = tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)
        order = {"side": ask.side, "text": orders.written(words), "answer": plain(answer)}
        return {"entry": "order", **order, "rule": None}
    data: Json = {"text": question(card, ask, lang), "rule": ask.rule}
    match ask:
        case Roll():
            return {"entry": "roll", **data, "dice": plain(answer)}
        case Choose():
            text = named(card, ask, answer, lang)
            told = {"side": _of(roles, ask.side), "answer": plain(answer), "answer_text": text}
            return {"entry": "choose", **data, **told}
        case Commit():
            halves = answer if isinstance(answer, tuple) else ()
            texts = (named(card, ask, half, lang) for half in halves)
            return {"entry": "commit", **data, "answers": dict(zip(roles, texts, strict=True))}


# ------------------------------------------------------------------ looking


def unit_json(match: Match, name: str, lang: Lang) -> Json:
    """Give where a unit can go, its supply line or what cuts it, and its zone of control."""
    field, board = match.field, match.board
    piece = board.piece(name)
    ways = sorted(field.reach(board, piece).items(), key=lambda way: way[1].sixths)
    reach = [
        {
            "hex": board.map.number(hex_),
            "cost": str(way.cost),
            "path": _numbers(board, way.path),
            "stop": way.stop,
        }
        for hex_, way in ways
        if hex_ != piece.at
    ]
    problem = _move_problem(match, piece, reach)
    supply = field.supply(board, piece)
    return {
        "name": piece.name,
        "side": piece.side,
        "hex": None if piece.at is None else board.map.number(piece.at),
        "moves": {"possible": problem is None, "reason": problem and problem.in_(lang)},
        "reach": reach,
        "supply": {
            "traced": supply.traced,
            "path": _numbers(board, supply.path),
            "cut_by": _numbers(board, supply.cut_by),
        },
        "zoc": _numbers(board, _zone(field, board, piece)),
        "enemy_zoc": _numbers(board, sorted(field.zoc(board, field.enemy(piece.side)))),
    }


def _move_problem(match: Match, piece: Piece, ways: list[Json]) -> Message | None:
    """Say why a unit may not be moved now; None where it may."""
    ask = match.asking
    if not isinstance(ask, Order):
        return say("no unit moves now")
    if piece.side != ask.side:
        return say("{unit} is not yours to use here", unit=piece.name)
    problem = match.field.may_move(ask.board, piece)
    if problem is None and not ways:
        return say("{unit} can reach no other hex", unit=piece.name)
    return problem or _order_problem(ask, ("move", piece.name, str(ways[0]["hex"])))


def _order_problem(ask: Order, order: Words) -> Message | None:
    try:
        ask.orders.check(order)
    except Refusal as refusal:
        return refusal.problem
    return None


def _zone(field: Field, board: Board, piece: Piece) -> list[Hex]:
    if piece.at is None or not field.exerts_zoc(piece):
        return []
    around = board.map.around[piece.at]
    return [there for there in around if field.zoc_reaches(board, piece.at, there)]


def _numbers(board: Board, hexes: Iterable[Hex]) -> list[str]:
    return [board.map.number(hex_) for hex_ in hexes]


def look_json(match: Match, verb: str | None, target: str, units: Words, lang: Lang) -> Json:
    """Give the fight to which an attack would lead, with the conditions that the board derives.
    Nothing changes; an attack that is not legal is refused."""
    ask, field = match.asking, match.field
    if not isinstance(ask, Order):
        raise Refusal(say("no order is asked for now"))
    order = (verb or _aiming(ask), target, *units)
    ask.orders.check(order)
    ahead = look_ahead(field.carry_out(ask.board, ask.side, order), ask.side)
    if ahead.fight is None:
        raise Refusal(say("this leads to no fight"))
    roles = Roles(ask.side, field.enemy(ask.side))
    entries = list(_entries(field, ahead.log, roles, lang))
    return {
        "order": list(order),
        "by": ahead.attacker,
        "lines": [entry for entry in entries if entry["entry"] == "line"],
        "assumed": [entry for entry in entries if entry["entry"] != "line"],
        "fight": {**_fight_json(ahead.fight, lang), "odds": odds_json(ahead.fight.odds(), lang)},
    }


def _aiming(ask: Order) -> str:
    """Find the first verb of the phase that aims at a hex."""
    for order in ask.orders.all():
        if len(order) > 1 and ask.board.map.has(order[1]):
            return order[0]
    raise Refusal(say("nothing is attacked in this phase"))
