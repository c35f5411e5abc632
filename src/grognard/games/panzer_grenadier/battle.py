"""Panzer Grenadier on the map: who may fire at whom, the fire that follows from the board, and
what it leaves behind."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from grognard.games.panzer_grenadier.firers import value_of
from grognard.games.panzer_grenadier.sight import apart, blockers, hexsides
from grognard.games.panzer_grenadier.stated import (
    STATES,
    TRANSPORT,
    AntiTankFire,
    DirectFire,
    FireFight,
    Firer,
    State,
    Target,
)
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.scenario import Scenario
from grognard.matches.field import Doing, Field, Playing
from grognard.rules.line import Blank
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

AIRCRAFT = "aircraft"  # off the map; the one kind of piece that is not a kind of target
HEAVY = ("mortar", "artillery")
ACTED = "acted"
SHOT = "shot"  # whence anti-tank fire came this turn: shot-HEX-HEXSIDES, as in shot-0704-23
SHAKEN = ("disrupted", "demoralised")


class Volley(NamedTuple):
    """A direct fire: who fires at which units in which hex."""

    target: Hex
    firers: tuple[Piece, ...]
    targets: tuple[Piece, ...]
    turn: int
    opportunity: bool = False


class Shot(NamedTuple):
    """An anti-tank fire: one unit at another."""

    firer: Piece
    target: Piece
    turn: int
    opportunity: bool = False


def state_of(piece: Piece) -> State:
    """Give the morale state of a piece."""
    return next((state for state in STATES if state in piece.states), STATES[0])


def is_combat(piece: Piece) -> bool:
    """Tell combat units from transport, leaders and aircraft."""
    return piece.kind not in (*TRANSPORT, "leader", AIRCRAFT)


class BattleField(Field):
    """Fire on a board."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._seen: dict[tuple[Hex, Hex], tuple[Hex, ...]] = {}
        self._nights = self.stated_turns("night_turns")
        self._night_sight = int(self.card.number("night_sight"))
        self.leader_reach = int(self.card.number("leader_reach"))

    # -------------------------------------------------------------- what the scenario states

    def stated_turns(self, key: str) -> frozenset[int]:
        """Give the turns that the scenario lists under a key, such as its night turns."""
        return frozenset(map(int, str(self.scenario.values.get(key, "")).split()))

    def night(self, turn: int) -> bool:
        return turn in self._nights

    def marked_by(self, board: Board, hex_: Hex, marker: str) -> str | None:
        """Give the side that a marker of a hex belongs to, or None; `all` where it is anybody's."""
        row = next(
            (row for row in board.map.rows(hex_) if row.values.get("marker") == marker), None
        )
        return None if row is None else str(row.values.get("owner", "all"))

    # -------------------------------------------------------------- sight and range

    def hidden_by(self, board: Board, here: Hex, there: Hex) -> tuple[Hex, ...]:
        """Give the hexes that hide a hex from another; none where they see each other."""
        if (here, there) not in self._seen:
            self._seen[here, there] = blockers(board.map, here, there, self.options)
        return self._seen[here, there]

    def out_of_sight(
        self, board: Board, piece: Piece, target: Hex, reach: int, turn: int
    ) -> Message | None:
        """Say why a piece can't fire at a hex: too far, dark, or something in the way."""
        if piece.at is None:
            return say("{unit} is not on the map", unit=piece.name)
        distance = piece.at.distance(target)
        hiding = () if distance > reach else self.hidden_by(board, piece.at, target)
        dark = self.night(turn) and distance > self._night_sight
        if distance <= reach and not hiding and not dark:
            return None
        number = board.map.number(target)
        if distance > reach:
            return say(
                "{hex} is out of range for {unit}: {distance} hexes; at most {reach}",
                hex=number,
                unit=piece.name,
                distance=distance,
                reach=reach,
            )
        if dark:
            return say("{unit} does not see {hex} at night", unit=piece.name, hex=number)
        return say(
            "{unit} does not see {hex}; hidden by {between}",
            unit=piece.name,
            hex=number,
            between=" ".join(map(board.map.number, hiding)),
        )

    # -------------------------------------------------------------- who may fire

    def may_act(self, piece: Piece, side: str) -> Message | None:
        """Say why a piece may not act now; None where it may. A unit acts once a turn."""
        if piece.side != side:
            return say("{unit} is not yours to use here", unit=piece.name)
        if piece.at is None and (piece.kind != AIRCRAFT or not piece.alive):
            return say("{unit} is not on the map", unit=piece.name)
        if ACTED in piece.states:
            return say("{unit} has acted already this turn", unit=piece.name)
        return None

    def may_use_arms(self, piece: Piece, side: str) -> Message | None:
        """Say why a piece may do nothing now, or nothing but try to recover."""
        problem = self.may_act(piece, side)
        if problem is None and "demoralised" in piece.states:
            return say("{unit} is demoralised and may only try to recover", unit=piece.name)
        return problem

    def may_fire(
        self, board: Board, side: str, piece: Piece, target: Hex, turn: int
    ) -> Message | None:
        """Say why a piece may not join a direct fire at a hex."""
        problem = self.may_use_arms(piece, side)
        if problem is None and not self._fires_directly(piece):
            problem = say("{unit} has no fire value", unit=piece.name)
        return problem or self.out_of_sight(board, piece, target, piece.number("range"), turn)

    def _fires_directly(self, piece: Piece) -> bool:
        """Tell who has a fire value for direct fire; mortars and artillery by option."""
        silent = piece.kind in HEAVY and self.options["heavy_weapons"] == "silent"
        return piece.kind != AIRCRAFT and bool(piece.number("fire")) and not silent

    def may_shoot(
        self, board: Board, side: str, piece: Piece, target: Piece, turn: int
    ) -> Message | None:
        """Say why a piece may not fire at a unit with its anti-tank value."""
        problem = self.may_use_arms(piece, side)
        if problem is not None:
            return problem
        if "anti_tank" not in piece.face:
            return say("{name} has no anti-tank value", name=piece.name)
        if target.at is None or target.side == side:
            return say("{unit} is no enemy on the map", unit=target.name)
        if "armour" not in target.face and target.kind != "truck":
            return say(
                "{name} has no armour; anti-tank fire is at AFVs and trucks", name=target.name
            )
        return self.out_of_sight(board, piece, target.at, piece.number("at_range"), turn)

    def enough_fire(self, firers: tuple[Piece, ...]) -> bool:
        """Tell whether units have together a fire value that can attack."""
        if self.options["fire_below_one"] == "column_1":
            return True
        whole = sum(
            value_of(self._firer(piece), piece.number("fire"), self.card, self.options)
            for piece in firers
        )
        return whole >= self.card.number("fire_least")

    # -------------------------------------------------------------- fire

    def fires(self, board: Board, volley: Volley) -> Playing:
        """10: direct fire, from the board to its outcome on the board."""
        setup = yield from self.direct_setup(board, volley)
        fire = self.game.fight(setup, procedure="direct-fire", options=self.options)
        _, fight = yield from self.fought(fire, FireFight)
        board = board.changed(*(board.piece(p.name).marked(ACTED) for p in volley.firers))
        return self.applied(board, fight)

    def shoots(self, board: Board, shot: Shot) -> Playing:
        """11: anti-tank fire, from the board to its outcome on the board."""
        setup = yield from self.anti_tank_setup(board, shot)
        fire = self.game.fight(setup, procedure="anti-tank", options=self.options)
        _, fight = yield from self.fought(fire, FireFight)
        here, there = _place(shot.firer), _place(shot.target)
        sides = "".join(map(str, sorted(hexsides(here, there))))
        mark = f"{SHOT}-{board.map.number(here)}-{sides}"
        board = board.changed(
            board.piece(shot.firer.name).marked(ACTED), board.piece(shot.target.name).marked(mark)
        )
        return self.applied(board, fight)

    def applied(self, board: Board, fight: FireFight) -> Board:
        """Bring steps and morale states from a fire to the board."""
        for unit in fight.defenders:
            states = {unit.state} & set(SHAKEN)
            board = board.changed(board.piece(unit.name).cleared(*SHAKEN))
            board = board.with_steps(unit.name, unit.steps, *states)
        return board

    # -------------------------------------------------------------- direct fire from the board

    def direct_setup(self, board: Board, volley: Volley) -> Doing[DirectFire]:
        """Fill in every condition of a direct fire, each with a line that says why."""
        target, number = volley.target, board.map.number(volley.target)
        by_air = all(piece.kind == AIRCRAFT for piece in volley.firers)
        enemy = self.enemy(volley.firers[0].side)
        range_ = yield from self._range(board, volley)
        adjacent = not by_air and all(_place(p).distance(target) == 1 for p in volley.firers)
        if adjacent:
            yield self.tell("note", "target-adjacent", value=number)
        terrain = yield from self.terrain_of(board, target)
        entrenched = self.marked_by(board, target, "entrenchment") in ("all", enemy)
        if entrenched:
            yield self.tell("note", "target-entrenched", value=number)
        mined = self.marked_by(board, target, "minefield") == volley.firers[0].side
        if mined:
            yield self.tell("note", "target-mined", value=number)
        if self.night(volley.turn):
            yield self.tell("note", "is-night", value=volley.turn)
        guns = self._anti_aircraft(board, enemy, target) if by_air else None
        if guns is not None:
            away = _place(guns).distance(target)
            here = board.map.number(_place(guns))
            yield self.tell("note", "aa-near", unit=guns.name, value=away, here=here)
        stacked = sum(is_combat(piece) for piece in volley.targets)
        if stacked >= self.card.number("stacked_target"):
            yield self.tell("note", "target-stack", "4.4", value=number, count=stacked)
        yield from self._about_targets(board, volley.targets, opportunity=volley.opportunity)
        leaders = yield from self.leaders_for(board, enemy, target, volley.targets)
        return DirectFire(
            attackers=tuple(self._firer(piece) for piece in volley.firers),
            defenders=(*(self.target(piece) for piece in volley.targets), *leaders),
            range=range_,
            terrain=terrain,
            opportunity_fire=volley.opportunity,
            entrenched=entrenched,
            night=self.night(volley.turn),
            adjacent_to_all=adjacent and range_ == 1,
            minefield_of_firer=mined,
            air_attack=by_air,
            aa_unit=guns is not None,
            aa_distance=_place(guns).distance(target) if guns else None,
        )

    def _range(self, board: Board, volley: Volley) -> Doing[int]:
        """Tell from where each unit fires, and give the range that counts. Aircraft are above."""
        there, distances = board.map.number(volley.target), list[int]()
        for piece in volley.firers:
            if piece.at is None:
                yield self.tell("note", "strikes-at", unit=piece.name, value=there)
                return 0
            away, here = piece.at.distance(volley.target), board.map.number(piece.at)
            distances.append(away)
            yield self.tell(
                "note", "fires-from", unit=piece.name, value=away, here=here, there=there
            )
        counts = min if self.options["group_range"] == "nearest" else max
        if len(set(distances)) > 1:
            yield self.tell("note", "range-counts", value=counts(distances))
        return counts(distances)

    def terrain_of(self, board: Board, hex_: Hex) -> Doing[tuple[str, ...]]:
        """Tell the terrain of the target hex, as far as the card has modifiers for it."""
        printed = {row.id for row in self.card.terrain}
        found = [row for row in board.map.rows(hex_) if row.id in printed]
        for row in found:
            if row.combat:
                number = board.map.number(hex_)
                yield self.tell("note", "target-terrain", value=number, terrain=row.text)
        return tuple(row.id for row in found) or ("clear",)

    def _anti_aircraft(self, board: Board, side: str, target: Hex) -> Piece | None:
        """Find the nearest anti-aircraft unit of a side that disturbs aircraft over a hex."""
        guns = [
            piece
            for piece in board.of(side)
            if piece.kind == "anti-aircraft"
            and "demoralised" not in piece.states
            and _place(piece).distance(target) <= self.card.number("aa_reach")
        ]
        return min(guns, key=lambda piece: _place(piece).distance(target), default=None)

    def _about_targets(
        self, board: Board, targets: tuple[Piece, ...], *, opportunity: bool
    ) -> Doing[None]:
        """Tell what is particular about each target."""
        for piece in targets:
            number = board.map.number(_place(piece))
            if opportunity:
                yield self.tell("note", "is-opportunity", "13.0", unit=piece.name, value=number)
            if "dug-in" in piece.states:
                yield self.tell("note", "is-dug-in", "16.2", unit=piece.name)
            if "crossing" in piece.states:
                river = self.river_beside(board, _place(piece))
                yield self.tell("note", "is-crossing", "5.7", unit=piece.name, river=river)

    def river_beside(self, board: Board, hex_: Hex) -> Blank:
        """Name the river that runs along a hex."""
        for there in board.map.around[hex_]:
            name = board.map.names.get(hex_.side(hex_.direction(there)))
            if "river" in board.map.between(hex_, there) and name:
                return name
        return board.map.terrain["river"].text

    # -------------------------------------------------------------- leaders

    def leaders_near(self, board: Board, side: str, hex_: Hex) -> Iterator[Piece]:
        """6.5: the leaders of a side whose bonus reaches a hex."""
        for piece in board.of(side):
            if (
                piece.kind == "leader"
                and "demoralised" not in piece.states
                and _place(piece).distance(hex_) <= self.leader_reach
            ):
                yield piece

    def leader_bonus(self, board: Board, piece: Piece) -> int:
        """6.5: what leaders add to the morale of a piece."""
        if piece.kind == "leader" and self.options["leaders_helped"] == "no":
            return 0
        near = self.leaders_near(board, piece.side, _place(piece))
        bonuses = [leader.number("bonus") for leader in near]
        return sum(bonuses) if self.options["leader_bonus"] == "sum" else max(bonuses, default=0)

    def leaders_for(
        self, board: Board, side: str, hex_: Hex, targets: tuple[Piece, ...]
    ) -> Doing[tuple[Target, ...]]:
        """Give the leaders who help a target without being one themselves."""
        names, found = {piece.name for piece in targets}, list[Target]()
        for leader in self.leaders_near(board, side, hex_):
            number = board.map.number(_place(leader))
            yield self.tell("note", "leader-near", "6.5", unit=leader.name, value=number)
            if leader.name not in names:
                found.append(replace(self.target(leader), distance=1))
        return tuple(found)

    # -------------------------------------------------------------- anti-tank fire from the board

    def anti_tank_setup(self, board: Board, shot: Shot) -> Doing[AntiTankFire]:
        """Fill in every condition of an anti-tank fire, each with a line that says why."""
        firer, target = shot.firer, shot.target
        here, there = _place(firer), _place(target)
        range_ = here.distance(there)
        yield self.tell(
            "note",
            "fires-from",
            unit=firer.name,
            value=range_,
            here=board.map.number(here),
            there=board.map.number(there),
        )
        terrain = yield from self.terrain_of(board, there)
        moved = "moved-before" in target.states
        if moved:
            yield self.tell("note", "has-moved", unit=target.name)
        higher = "hill" in terrain and (yield from self._higher(board, shot))
        yield from self._about_targets(board, (target,), opportunity=shot.opportunity)
        crossfire = yield from self._crossed(board, shot)
        leaders = yield from self.leaders_for(board, target.side, there, (target,))
        return AntiTankFire(
            attackers=(self._firer(firer),),
            defenders=(self.target(target), *leaders),
            range=range_,
            terrain=terrain,
            opportunity_fire=shot.opportunity,
            target_moved=moved,
            target_higher=higher,
            crossfire=crossfire is not None,
            crossfire_hexes_only=crossfire is not None and crossfire[1],
        )

    def _higher(self, board: Board, shot: Shot) -> Doing[bool]:
        """Tell whether the target stands higher than who fires at it."""
        there, here = (
            board.map.places[_place(piece)].height for piece in (shot.target, shot.firer)
        )
        if there > here:
            yield self.tell(
                "note",
                "is-higher",
                unit=shot.target.name,
                value=there,
                firer=shot.firer.name,
                level=here,
            )
        return there > here

    def _crossed(self, board: Board, shot: Shot) -> Doing[tuple[str, bool] | None]:
        """1.11: find the crossfire, and tell whence the earlier fire came."""
        here = _place(shot.firer)
        crossfire = self.crossfire(board, here, shot.target)
        if crossfire:
            before, by_hexes = crossfire
            yield self.tell(
                "note",
                "is-crossfire-by-hexes" if by_hexes else "is-crossfire",
                "1.11",
                unit=shot.target.name,
                value=board.map.number(here),
                before=before,
            )
        return crossfire

    def crossfire(self, board: Board, here: Hex, target: Piece) -> tuple[str, bool] | None:
        """1.11: an earlier anti-tank fire of the turn that makes this one a crossfire.

        It gives the hex from which that came, and whether only the firers' hexes are apart.
        """
        sides, by_hexes = hexsides(here, _place(target)), None
        for state in sorted(target.states):
            if not state.startswith(f"{SHOT}-"):
                continue
            _, number, before = state.split("-")
            if apart(sides, frozenset(map(int, before)), self.options):
                return number, False
            if board.map.hex(number).distance(here) > 1:
                by_hexes = (number, True)
        return by_hexes

    # -------------------------------------------------------------- counters

    def _firer(self, piece: Piece) -> Firer:
        anti_tank = piece.number("anti_tank") if "anti_tank" in piece.face else None
        return Firer(
            name=piece.name,
            steps=piece.steps,
            fire=piece.number("fire"),
            anti_tank=anti_tank,
            state=state_of(piece),
        )

    def target(self, piece: Piece) -> Target:
        return Target(
            name=piece.name,
            kind=piece.kind,  # type: ignore[arg-type]  # the scenario's kinds are the game's
            morale=piece.number("morale"),
            steps=piece.steps,
            state=state_of(piece),
            armour=piece.number("armour") if "armour" in piece.face else None,
            dug_in="dug-in" in piece.states,
            engineers_crossing="crossing" in piece.states,
            bonus=piece.number("bonus"),
        )

    def need_targets(self, board: Board, side: str, hex_: Hex) -> tuple[Piece, ...]:
        """Give the enemies in a hex, or refuse one without any."""
        stack = board.stack(hex_)
        if not stack or stack[0].side == side:
            raise Refusal(say("there is no enemy in {hex}", hex=board.map.number(hex_)))
        return stack


def _place(piece: Piece) -> Hex:
    """Give the hex of a piece that is known to be on the map."""
    if piece.at is None:
        raise TypeError(f"{piece.name} is not on the map")
    return piece.at
