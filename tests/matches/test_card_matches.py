"""Random and automatic matches of games that their cards alone bring to the map."""

from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from grognard.card.card import Card
from grognard.fights.prospects import Prospects
from grognard.maps import scenario
from grognard.maps.card_needs import attack_row
from grognard.matches.before_fight import match_advice
from grognard.matches.match import Match, begin, load, save
from grognard.players.bot import Bot, bots_for, play_on
from grognard.rules import game
from grognard.rules.ask import Answer, Choose
from grognard.rules.line import Line
from grognard.testing.random_matches import HURRIES, MOST_ANSWERS, any_answer, check_match
from tests.example_games import BATTLE, FOLDER, GAMES, finds_examples, look_in
from tests.tiers import sized

MATCHES = sized(16, quick=2, soak=4000)
SMALL = sized(6, quick=1, soak=400)

pytestmark = [finds_examples, pytest.mark.no_cover]  # pytest-cov: tracing doubles their time


def random_match(name: str, seed: int) -> Match:
    """Play to the end with any legal answers; dice have the faces that they have."""
    random, match = Random(seed), begin(name)
    hurry = random.choice(HURRIES)
    for _ in range(MOST_ANSWERS):
        if match.asking is None:
            return match
        match.answer(any_answer(match.asking, random, hurry))
        within_stacking(match)
    raise AssertionError(f"{name}, seed {seed}: still asking {match.asking}")


def within_stacking(match: Match) -> None:
    """Nobody ever stands where the limit is passed, also not after retreats and advances."""
    for hex_, stack in match.board.stacks().items():
        assert match.field.stacking_problem(match.board, hex_, stack) is None, (hex_, stack)


def replayed(match: Match, file: Path) -> None:
    save(match, file)
    again = load(file.read_text(encoding="utf-8"), file.name)
    assert again.asking is None
    assert again.answers == match.answers
    assert again.board.pieces == match.board.pieces
    assert again.board.holders == match.board.holders


def test_random_matches_end_with_their_units_conserved_and_replay(tmp_path: Path) -> None:
    for seed in range(MATCHES):
        match = random_match(BATTLE, seed)
        check_match(match)
        assert set(match.verdict().points) == {"blue", "red"}
        replayed(match, tmp_path / "match.json")


@pytest.mark.slow
def test_automatic_matches_end_with_a_verdict_and_both_sides_win_some() -> None:
    winners = set()
    for seed in range(8):
        match = begin(BATTLE)
        for count, _ in enumerate(play_on(match, bots_for(("blue", "red"), seed))):
            assert count < MOST_ANSWERS
        check_match(match)
        assert sum(match.verdict().points.values()) == 15  # every objective has its holder
        winners.add(match.verdict().winner)
    assert winners >= {"blue", "red"}


def test_the_scenario_has_a_dozen_units_and_more_and_no_line_of_python() -> None:
    battle = scenario.own(BATTLE)
    assert 12 <= len(battle.units) <= 20
    assert not list(FOLDER.rglob("*.py"))
    assert {line.id for line in told(random_match(BATTLE, 3))} >= {"moves", "arrives"}


def told(match: Match) -> list[Line]:
    return [entry for entry in match.log if isinstance(entry, Line)]


# ------------------------------------------------------------------ every game on a small map


HEAD = """
name = "Small"
about = "Two small armies."
turns = 4
objectives = [{ hex = "0303", points = 1, text = "the middle" }]
sides = [{ id = "north", name = "North" }, { id = "south", name = "South", colour = "red" }]
"""
ARMIES = {
    "north": ("0201", "0301", "0401", "0501"),
    "south": ("0203", "0304", "0403", "0404"),
}


def small_battle(card: Card) -> str:
    """Write a scenario of two small armies on the terrain of a card."""
    row = attack_row(card)
    ground = [terrain.id for terrain in card.terrain if terrain.on == "hex"]
    letters = [chr(ord("a") + place) for place in range(len(ground))]
    cells = cycle([*letters[:3], *"aaaaaaaa"])
    grid = "\n".join("".join(next(cells) for _ in range(6)) for _ in range(6))
    legend = ", ".join(f'{pair[0]} = ["{pair[1]}"]' for pair in zip(letters, ground, strict=True))
    units = (
        f'{{ name = "{side} {n}", side = "{side}", kind = "infantry", hex = "{hex_}", move = 3, '
        f"steps = 2, faces = [{{ {row.attack} = {3 + n}, {row.defence} = {3 + n % 2} }}] }},\n"
        for side, hexes in ARMIES.items()
        for n, hex_ in enumerate(hexes)
    )
    sheet = f'[map]\nfirst = "0101"\ngrid = """\n{grid}\n"""\nlegend = {{ {legend} }}\n'
    return f"{HEAD}units = [\n{''.join(units)}]\n{sheet}"


RULES = {
    "dust-and-iron": '[map]\nstacking = 2\nzoc = "fluid"\nretreat_by = "opponent"\n',
    "fire-lane": "",
    "two-roads": '[map]\nstacking = 2\nadvance = "one"\n[map.facts]\nmanner = "attacker chooses"\n',
    "dawn-raid": '[[terrain]]\nid = "plain"\n[map]\nretreat_direction = "any"\n'
    '[map.facts]\nsurprise = "surrounded"\n',
    "river-line": "",
}


@pytest.mark.slow
@pytest.mark.parametrize("id_", GAMES)
def test_every_example_is_played_on_a_map_as_soon_as_its_card_says_how(
    id_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (FOLDER / f"{id_}.toml").read_text(encoding="utf-8")
    file = tmp_path / f"{id_}.toml"
    file.write_text(f"{text}\n{RULES[id_]}", encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    battle = small_battle(game.card(id_))
    (tmp_path / f"{id_}.small.toml").write_text(battle, encoding="utf-8")
    assert scenario.library().broken == ()
    name, ids = f"{id_}.small", set[str]()
    for seed in range(SMALL):
        match = random_match(name, seed)
        check_match(match)
        replayed(match, tmp_path / "match.json")
        ids |= {line.id for line in told(match)}
    assert ids & {"look-up", "look-up-row"}, "no fight was fought"
    match = begin(name)
    for count, _ in enumerate(play_on(match, dict.fromkeys(("north", "south"), Bot(1)))):
        assert count < MOST_ANSWERS
    check_match(match)


@pytest.mark.slow
def test_the_automatic_player_weighs_what_a_side_chooses_before_a_fight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Assault or mobile combat: whichever is worth more, not whichever stands first."""
    text = (FOLDER / "two-roads.toml").read_text(encoding="utf-8") + RULES["two-roads"]
    (tmp_path / "two-roads.toml").write_text(text, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    battle = small_battle(game.card("two-roads"))
    (tmp_path / "two-roads.small.toml").write_text(battle, encoding="utf-8")
    chosen = set[Answer]()
    for seed in range(6):
        match = begin("two-roads.small")
        bots = dict.fromkeys(("north", "south"), Bot(seed))
        while match.asking is not None:
            ask, bot = match.asking, bots[match.asked or "north"]
            answer = bot.answer(match)
            if isinstance(ask, Choose) and ask.what == "choose-manner":
                behind = match_advice(match)
                assert isinstance(behind, Prospects)
                (option,) = (o for o in behind.options["attacker"] if o.answer == answer)
                assert option.best
                chosen.add(answer)
            match.answer(answer)
    assert len(chosen) == 2, "neither is always the better one"


CARDS_PAGE = Path(__file__).parents[2] / "docs" / "cards.md"


def test_the_scenario_of_the_documentation_is_played_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = CARDS_PAGE.read_text(encoding="utf-8").partition("### 7.")[2]
    guns, look, battle = (block for block in page.split("```")[1:6:2])
    text = (FOLDER / "river-line.toml").read_text(encoding="utf-8")
    before, _, rest = text.partition('[[terrain]]\nid = "orchard"')
    after = rest.partition('id = "river"')[2]
    rows = f'{look}[[terrain]]\nid = "hills"\n[[terrain]]\nid = "river"'
    card = f"{before}{rows}{after}"
    (tmp_path / "my-game.toml").write_text(card, encoding="utf-8")
    (tmp_path / "my-game.first-battle.toml").write_text(battle, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    assert scenario.library().broken == ()
    for seed in range(4):
        check_match(random_match("my-game.first-battle", seed))
    field = '[[unit_fields]]\nid = "barrage"\n'
    supported = game.read_card(text.partition("# How it is played")[0] + field + guns, "guns.toml")
    assert supported.map is not None
    assert supported.map.support is not None
