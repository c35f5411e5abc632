"""White October on the map: from an order to the fight with every condition, and back."""

from collections.abc import Iterable, Sequence

from grognard.card.card import Terrain
from grognard.card.rows import SIDES, Side
from grognard.fights.play import Play
from grognard.games.white_october.aftermath import Aftermath, stacks_of
from grognard.games.white_october.ground import (
    ANO,
    COMBAT,
    DISORGANISED,
    DRY,
    FIGHTS,
    GUNS,
    HQ,
    LEADER,
    MOBILE,
    ROUTED,
    SUPPORTS,
    VEHICLES,
    troops,
)
from grognard.games.white_october.stated import Attack, Counter, WhiteOctoberFight
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.field import Doing, Playing
from grognard.rules.fight import Unit, enemy_of
from grognard.rules.line import Blank
from grognard.words.message import Message, say


class Battle(Aftermath):
    """Who may attack and fire, what they state, and what the fight did to them."""

    # -------------------------------------------------------------- orders

    nobody_attacks = say("no unit attacks; at least one that does more than fire in support")

    def only_supports(self, piece: Piece) -> bool:
        """Guns and aircraft."""
        return piece.kind in SUPPORTS

    def attacked(self, board: Board, target: Hex) -> tuple[Piece, ...]:
        """The units of the hex; leaders are persons."""
        return tuple(troops(board.stack(target)))

    def unfit(self, piece: Piece) -> Message | None:
        """Not what does not fight; once a phase; routed units by option."""
        if piece.kind not in FIGHTS:
            return say("{unit} does not attack", unit=piece.name)
        problem = super().unfit(piece)
        passive = ROUTED in piece.states and self.options["routed_units"] == "passive"
        if problem is None and passive:
            return say("{unit} is routed and does not attack", unit=piece.name)
        return problem

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Into a hex that the unit could enter; by option each hex is attacked once."""
        hex_ = board.map.number(target)
        free = piece.kind in VEHICLES and self.options["vehicle_attack"] == "anywhere"
        if not free and not self.enters(board, piece, target):
            return say("{unit} can't enter {hex}, nor attack it", unit=piece.name, hex=hex_)
        attacked = all("defended" in unit.states for unit in troops(board.stack(target)))
        if attacked and self.options["hex_attacked"] == "once":
            return say("{hex} has been attacked already", hex=hex_)
        return None

    def may_support(
        self,
        board: Board,
        side: str,
        piece: Piece,
        target: Hex,
        engaged: Sequence[Piece],  # noqa: ARG002  # here support is for a hex
    ) -> Message | None:
        """Once a phase, within range, with ammunition; aircraft once a turn, and by day."""
        if piece.side != side or not piece.alive:
            return say("{unit} is not yours to use here", unit=piece.name)
        if "fired" in piece.states:
            return say("{unit} has given its support already", unit=piece.name)
        if piece.kind != "aircraft":
            return self._silent(board, piece, target)
        if self.night(board) and self.options["night_flying"] == "no":
            return say("{unit} does not fly by night", unit=piece.name)
        return None

    def _silent(self, board: Board, gun: Piece, target: Hex) -> Message | None:
        """Say why a gun can't fire at a hex, or for it."""
        if gun.at is None:
            return say("{unit} is not on the map", unit=gun.name)
        if DRY in gun.states or ROUTED in gun.states:
            return say("{unit} is routed or out of ammunition and can't fire", unit=gun.name)
        if not gun.reaches(target):
            hex_ = board.map.number(target)
            return say("{hex} is out of range of {unit}", unit=gun.name, hex=hex_)
        return None

    def night(self, board: Board) -> bool:
        return board.pools.get("night", 0) > 0

    # -------------------------------------------------------------- the attack

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """From the order to the fight, and from its outcome back to the board."""
        active = plan.side
        theirs = yield from self.defensive_support(board, plan, "defensive-fires")
        setup = yield from self.setup(board, plan, theirs)
        firing = (*plan.supports, *theirs)
        dry = self._used_without_supply(board, plan.attackers, firing)
        attack = self.game.fight(setup, options=self.options)
        play, fight = yield from self.fought(attack, WhiteOctoberFight)
        board = self._applied(board, firing, fight)
        board = yield from self._run_out(board, dry)
        yield board
        board = yield from self._settled(board, plan, fight)
        for side, hexes, rout in ordered_back(play):
            names = [unit.name for unit in plan.engaged(side)]
            board = yield from self.withdraw(board, side, names, hexes, rout=rout)
        board = yield from self.gather(board, active)
        if fight.advanced and fight.winner:
            name = _who_advances(play)
            board = yield from self.advances(board, fight.winner, plan, name, fight.advanced)
            board = yield from self.gather(board, active)
        yield board
        return board

    # -------------------------------------------------------------- what is stated

    def setup(self, board: Board, plan: Engagement, theirs: tuple[Piece, ...]) -> Doing[Attack]:
        """Fill in every condition, each with a line that says why."""
        ano = plan.side == ANO
        if ano:
            yield self.tell("note", "ano-attacks", side="attacker")
        if self.night(board):
            yield self.tell("note", "by-night")
        ours = yield from self._fires(board, "attacker", plan.supports)
        his = yield from self._fires(board, "defender", theirs)
        bonus = yield from self._hq_bonus(board, "attacker", plan.attackers)
        bonus -= yield from self._hq_bonus(board, "defender", plan.defenders)
        encircled, surrounded = yield from self._encirclements(board, plan)
        trotsky = yield from self._trotsky(board, plan)
        clear = yield from self._clear(board, plan.target)
        value = yield from self._terrain_value(board, plan)
        second = yield from self._second_hex_allowed(board, plan)
        back, way = yield from self._ways_back(board, plan)
        return Attack(
            attackers=tuple(_counter(piece) for piece in plan.attackers),
            defenders=tuple(_counter(piece) for piece in plan.defenders),
            attacker_support=ours,
            defender_support=his,
            attacker_air=any(piece.kind == "aircraft" for piece in plan.supports),
            night=self.night(board),
            attacker_is_ano=ano,
            hq_bonus=bonus,
            attacker_encircled=encircled,
            defender_encircled=surrounded,
            attacker_trotsky=trotsky == "attacker",
            defender_trotsky=trotsky == "defender",
            clear_terrain=clear,
            terrain_value=value,
            second_hex_allowed=second,
            attacker_can_retreat=back,
            defender_can_retreat=way,
        )

    def _fires(self, board: Board, side: Side, guns: Iterable[Piece]) -> Doing[int]:
        """Add up the support fires of a side."""
        whole = 0
        for gun in guns:
            fire = gun.number("fire")
            if gun.at is None:
                yield self.tell("note", "flies", side=side, unit=gun.name, value=fire)
            else:
                hex_ = board.map.number(gun.at)
                yield self.tell("note", "fires", side=side, unit=gun.name, value=fire, hex=hex_)
            whole += fire
        return whole

    def _hq_bonus(self, board: Board, side: Side, engaged: Sequence[Piece]) -> Doing[int]:
        """The bonus of the best HQ that commands an engaged unit, or of all of them."""
        able = [
            piece
            for piece in board.of(engaged[0].side)
            if piece.number("bonus") and any(self.commands(piece, unit) for unit in engaged)
        ]
        able.sort(key=lambda hq: -hq.number("bonus"))
        counted = able[:1] if self.options["hq_bonuses"] == "best" else able
        for hq in counted:
            hex_ = board.map.number(hq.at) if hq.at else "-"
            value = hq.number("bonus")
            yield self.tell("note", "commands", side=side, unit=hq.name, value=value, hex=hex_)
        return sum(hq.number("bonus") for hq in counted)

    def commands(self, hq: Piece, unit: Piece) -> bool:
        """Tell whether an HQ in good order has a unit of its formation, or any, within range."""
        own = not hq.formation or hq.formation == unit.formation
        return hq.kind == HQ and ROUTED not in hq.states and own and hq.reaches(unit.at)

    def _encirclements(self, board: Board, plan: Engagement) -> Doing[tuple[bool, bool]]:
        """The defender's stack; of the attackers, if so many of their PE stand encircled."""
        side, enemy = plan.side, plan.enemy
        inside, everything = 0, sum(unit.steps for unit in plan.attackers)
        for hex_, units in stacks_of(plan.attackers).items():
            if self.encircled(board, hex_, side):
                number = board.map.number(hex_)
                yield self.tell("note", "is-encircled", side="attacker", value=number)
                inside += sum(unit.steps for unit in units)
        surrounded = self.encircled(board, plan.target, enemy)
        if surrounded:
            number = board.map.number(plan.target)
            yield self.tell("note", "is-encircled", side="defender", value=number)
        enough = {"most": 2 * inside > everything, "any": inside > 0, "all": inside == everything}
        return enough[self.options["attackers_encircled"]], surrounded

    def _trotsky(self, board: Board, plan: Engagement) -> Doing[Side | None]:
        """A leader is present with whoever shares his hex, or stands beside it."""
        reach = 1 if self.options["trotsky_reach"] == "adjacent" else 0
        for side in SIDES:
            engaged = plan.engaged(side)
            for piece in board.of(engaged[0].side):
                here = piece.at if piece.kind == LEADER else None
                if here and any(here.distance(hex_) <= reach for hex_ in stacks_of(engaged)):
                    number = board.map.number(here)
                    yield self.tell("note", "leads", side=side, unit=piece.name, value=number)
                    return side
        return None

    def _clear(self, board: Board, target: Hex) -> Doing[bool]:
        clear = all(row.values.get("clear") for row in board.map.rows(target))
        if clear:
            yield self.tell("note", "clear-ground", value=board.map.number(target))
        return clear

    def _terrain_value(self, board: Board, plan: Engagement) -> Doing[int]:
        """Add up what the hex is worth, its entrenchments to their builders only, and the river
        that the attackers cross."""
        worth = list[int]()
        number = board.map.number(plan.target)
        for row in board.map.rows(plan.target):
            value = _defence(row, plan.enemy)
            if value:
                yield self.tell("note", "ground-helps", value=value, ground=row.text, hex=number)
                worth.append(value)
        worth += yield from self._crossings(board, plan)
        best = self.options["terrain_values"] == "best"
        return max(worth, default=0) if best else sum(worth)

    def _crossings(self, board: Board, plan: Engagement) -> Doing[list[int]]:
        """Tell who attacks across what, and give what it is worth to the defender, if it counts."""
        across = [unit for unit in plan.attackers if self.barrier(board, unit, plan.target)]
        for unit in across:
            yield self.tell(
                "note",
                "across",
                unit=unit.name,
                value=board.map.number(unit.at) if unit.at else "-",
                river=self._river(board, unit, plan.target),
            )
        if not across:
            return []
        some = self.options["river_defence"] == "any_across"
        if len(across) < len(plan.attackers) and not some:
            yield self.tell("note", "not-all-across")
            return []
        value = min(self.barrier(board, unit, plan.target) for unit in across)
        river = self._river(board, across[0], plan.target)
        number = board.map.number(plan.target)
        yield self.tell("note", "ground-helps", value=value, ground=river, hex=number)
        return [value]

    def barrier(self, board: Board, unit: Piece, target: Hex) -> int:
        """Give the defensive value of the hexside over which a unit attacks."""
        if unit.at is None:
            return 0
        rows = (board.map.terrain[feature] for feature in board.map.between(unit.at, target))
        return max((_defence(row, "") for row in rows), default=0)

    def _river(self, board: Board, unit: Piece, target: Hex) -> Blank:
        if unit.at is None:
            return "-"
        return board.map.barrier(unit.at, target, min(board.map.between(unit.at, target)))

    def _second_hex_allowed(self, board: Board, plan: Engagement) -> Doing[bool]:
        """8.2.7, whose conditions we do not have: by the option for it."""
        rule = self.options["second_hex"]
        mobile = [unit.kind in MOBILE for unit in plan.attackers]
        allowed = rule != "never" and (any(mobile) if rule == "any" else all(mobile))
        if allowed:
            number = board.map.number(plan.target)
            yield self.tell("note", "second-hex-open", "8.2.7", side="attacker", value=number)
        return allowed

    def _ways_back(self, board: Board, plan: Engagement) -> Doing[tuple[bool, bool]]:
        """Tell of each side whether any of its engaged units could retreat a hex."""
        ours, theirs = (self.way_open(board, plan.engaged(side)) for side in SIDES)
        for side, way in zip(SIDES, (ours, theirs), strict=True):
            if not way:
                hexes = " ".join(map(board.map.number, stacks_of(plan.engaged(side))))
                yield self.tell("note", "no-way-back", side=side, value=hexes)
        return ours, theirs

    # -------------------------------------------------------------- the outcome

    def _applied(self, board: Board, firing: Iterable[Piece], fight: WhiteOctoberFight) -> Board:
        """Bring losses, states and marks from the fight to the board."""
        for units, mark in ((fight.attackers, "attacked"), (fight.defenders, "defended")):
            for unit in units:
                board = _brought_back(board, unit, mark)
        return board.changed(*(board.piece(gun.name).marked("fired") for gun in firing))

    def _used_without_supply(
        self, board: Board, attackers: Iterable[Piece], firing: Iterable[Piece]
    ) -> list[str]:
        """Name who attacks or fires without a supply line."""
        guns = [gun for gun in firing if gun.kind in GUNS]
        who = {"unsupplied": [*attackers, *guns], "guns": guns, "never": []}
        used = who[self.options["ammunition"]]
        return [piece.name for piece in used if not self.has_supply(board, piece)]

    def _run_out(self, board: Board, names: Iterable[str]) -> Playing:
        for name in names:
            piece = board.piece(name)
            if piece.alive and DRY not in piece.states:
                yield self.tell("state", "runs-out", unit=name)
                board = board.changed(piece.marked(DRY))
        return board

    def _settled(self, board: Board, plan: Engagement, fight: WhiteOctoberFight) -> Playing:
        """Let the victor say what becomes of units that surrender, where players settle it."""
        if self.options["surrender"] != "players":
            return board
        for side in SIDES:
            if side not in fight.left or f"{side[0].upper()} surrenders" not in fight.details:
                continue
            how = yield from self.choose(enemy_of(side), "surrender", ("captured", "stay"))
            names = [u.name for u in plan.engaged(side) if board.piece(u.name).alive]
            if how == "captured":
                for name in names:
                    yield self.tell("captured", "is-captured", side=side, unit=name)
                board = board.removed(*names)
        return board


def _counter(piece: Piece) -> Counter:
    """Make the combat counter of a piece, with its states."""
    return Counter(
        name=piece.name,
        pe=piece.steps,
        steps=piece.steps,
        strength=piece.number("strength"),
        quality=piece.number("quality"),
        morale=piece.number("morale"),
        combat=piece.kind in COMBAT,
        tank=piece.kind == "tank",
        armoured_car=piece.kind == "armoured-car",
        cavalry=piece.kind == "cavalry",
        out_of_ammunition=DRY in piece.states,
        routed=ROUTED in piece.states,
        disorganised=DISORGANISED in piece.states,
    )


def _brought_back(board: Board, unit: Unit, mark: str) -> Board:
    states = {mark}
    if isinstance(unit, Counter):
        states |= {ROUTED} if unit.routed else set()
        states |= {DISORGANISED} if unit.disorganised else set()
    return board.with_steps(unit.name, unit.steps, *states)


def _defence(row: Terrain, side: str) -> int:
    """Give the defensive value of a terrain row for a side; some are worth it to one only."""
    if row.values.get("for", side) != side:
        return 0
    value = row.values.get("defence", 0)
    return value if isinstance(value, int) else 0


def ordered_back(play: Play) -> list[tuple[Side, int, bool]]:
    """Give who must retreat, how far, and whether it is a rout, in the order of the fight."""
    lines = (told.line for told in play.told if told.line.kind == "retreat")
    return [
        (line.side, int(line.value or 0), line.id.endswith("-rout")) for line in lines if line.side
    ]


def _who_advances(play: Play) -> str:
    return next(told.line.unit for told in play.told if told.line.kind == "advance")
