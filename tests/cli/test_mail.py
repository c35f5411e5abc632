"""Matches by mail: two players with two folders send a file to and fro; tampering is refused."""

import json
import stat
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from grognard.fights.record import plain
from grognard.maps import scenario as scenarios
from grognard.matches.mail.keys import KeyFolder, signed_by
from grognard.matches.mail.letters import (
    Answered,
    Revealed,
    letter_text,
    read_file,
    written_file,
)
from grognard.matches.mail.mail_match import MailMatch, open_options
from grognard.matches.match import begin, new_field
from grognard.rules.ask import Commit, Roll
from tests.command import refused, run
from tests.oracles import fair_dice as oracle

Json = dict[str, Any]
# Orders that lead the Germans to a secret commitment of both sides.
TO_COMMITMENT = "end\nattack 1910 with 21/20Pz 59/20Pz 112/20Pz\n"


class Post:
    """Two players and the file between them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "match.json"
        self.anna, self.bob = folder / "anna", folder / "bob"

    def begin(self, *options: str) -> "Post":
        words: list[str | Path] = ["--side", "german", "--name", "Anna", "--keys", self.anna]
        words += options
        begun = run("mail", "new", "weissenberg", self.file, *words)
        assert begun.exit_code == 0, begun.output
        return self

    def accept(self) -> "Post":
        self.begin()
        done = run("mail", "accept", self.file, "--name", "Bob", "--keys", self.bob)
        assert done.exit_code == 0, done.output
        return self

    def play(self, player: Path, stdin: str | None = None, *, auto: bool = False) -> str:
        words = ("--auto", "sergeant") if auto else ()
        done = run("mail", "play", self.file, "--keys", player, *words, stdin=stdin)
        assert done.exit_code == 0, done.output
        return done.output

    def refusal(self, player: Path, verb: str = "play", *words: str) -> str:
        before = self.file.read_bytes() if self.file.exists() else None
        said = refused("mail", verb, self.file, *words, "--keys", player)
        assert (self.file.read_bytes() if self.file.exists() else None) == before
        return said

    def shown(self, player: Path) -> Json:
        done = run("mail", "show", self.file, "--json", "--keys", player)
        assert done.exit_code == 0, done.output
        found: Json = json.loads(done.output)
        return found

    @property
    def data(self) -> Json:
        found: Json = json.loads(self.file.read_text(encoding="utf-8"))
        return found

    def write(self, data: Json) -> None:
        self.file.write_text(json.dumps(data), encoding="utf-8")

    @property
    def mail(self) -> MailMatch:
        return MailMatch(read_file(self.data))

    @property
    def moves(self) -> list[str]:
        return [move["move"] for letter in self.data["letters"] for move in letter["moves"]]


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


# ------------------------------------------------------------------ beginning


def test_one_player_begins_and_the_other_takes_the_second_side(post: Post) -> None:
    post.begin()
    assert post.shown(post.anna)["turn"] == "allied"
    assert "allied" in post.refusal(post.anna)
    run("mail", "accept", post.file, "--name", "Bob", "--keys", post.bob)
    shown = post.shown(post.bob)
    assert {side: player["name"] for side, player in shown["players"].items()} == {
        "german": "Anna",
        "allied": "Bob",
    }
    assert (shown["letters"], shown["rolls"], shown["turn"]) == (2, 0, "german")
    assert shown["players"]["german"]["key"] == KeyFolder(post.anna).identity().public


def test_a_key_is_made_once_and_only_its_owner_can_read_it(post: Post) -> None:
    first = run("mail", "key", "--keys", post.anna).output
    assert run("mail", "key", "--keys", post.anna).output == first
    assert run("mail", "key", "--keys", post.bob).output != first
    assert stat.S_IMODE((post.anna / "key").stat().st_mode) == 0o600
    secret = (post.anna / "key").read_text(encoding="ascii").strip()
    post.begin()
    assert secret not in post.file.read_text(encoding="utf-8")


def test_stacks_that_the_rules_hide_are_open_by_mail(post: Post) -> None:
    hiding = [id_ for id_ in scenarios.ids() if new_field(scenarios.own(id_)).hides_stacks()]
    assert "bautzen-1945" in hiding
    for id_ in hiding:
        scenario = scenarios.own(id_)
        options = open_options(scenario, {})
        assert not new_field(scenario.with_options(options)).hides_stacks()
    words = ("--side", "german", "--name", "Anna", "--keys", post.anna)
    hidden = ("--option", "hidden_stacks=top_counter")
    assert "open" in refused("mail", "new", "bautzen-1945", post.file, *words, *hidden)
    assert not post.file.exists()


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "by mail all stacks lie open"), ("fr", "par courrier, toutes les piles sont ouvertes")],
)
def test_both_players_are_told_at_the_start_that_stacks_lie_open(
    post: Post, lang: str, told: str
) -> None:
    def said(verb: str, *words: str | Path) -> str:
        return " ".join(run("mail", verb, *words, "--lang", lang).output.split())

    anna = ("--side", "german", "--name", "Anna", "--keys", post.anna)
    bob = ("--name", "Bob", "--keys", post.bob)
    assert told in said("new", "bautzen-1945", post.file, *anna)
    assert told in said("accept", post.file, *bob)
    assert told in said("show", post.file, "--keys", post.bob)
    post.file.unlink()
    # Where nothing is hidden, nothing is said of it.
    assert told not in said("new", "weissenberg", post.file, *anna)
    assert told not in said("accept", post.file, *bob)


def test_a_file_that_is_there_is_not_begun_anew(post: Post) -> None:
    post.begin()
    before = post.file.read_bytes()
    said = refused("mail", "new", "weissenberg", post.file, "--side", "german", "--name", "A")
    assert "exists already" in said
    assert post.file.read_bytes() == before


def test_bad_beginnings_write_nothing(post: Post) -> None:
    words = ("--name", "Anna", "--keys", post.anna)
    assert "no side 'swiss'" in refused(
        "mail", "new", "weissenberg", post.file, "--side", "swiss", *words
    )
    assert "no scenario" in refused(
        "mail", "new", "waterloo", post.file, "--side", "german", *words
    )
    assert not post.file.exists()
    nowhere = post.folder / "nowhere" / "match.json"
    said = refused("mail", "new", "weissenberg", nowhere, "--side", "german", *words)
    assert "no such folder" in said


# ------------------------------------------------------------------ playing


def test_a_commitment_is_sealed_then_given_then_opened(post: Post) -> None:
    post.accept()
    post.play(post.anna, TO_COMMITMENT + "quit\n")
    if isinstance(post.mail.match.asking, Commit):
        seals = post.anna, post.bob
    else:  # the defender is asked something first
        post.play(post.bob, "1\nquit\n")
        seals = post.bob, post.anna
    assert isinstance(post.mail.match.asking, Commit)
    if "seal" not in post.moves:
        post.play(seals[0], "2\nquit\n")
    assert post.moves.count("seal") == 1
    sealing = next(
        m for letter in post.data["letters"] for m in letter["moves"] if m["move"] == "seal"
    )
    assert set(sealing) == {"move", "seal"}  # nothing else of the half
    post.play(seals[1], "1\nquit\n")
    assert "half" in post.moves
    post.play(seals[0], "\n\nquit\n")
    assert "open" in post.moves
    assert isinstance(post.mail.match.asking, Roll)


def test_a_roll_needs_one_exchange_and_is_that_of_both_chains(post: Post) -> None:
    post.accept()
    for _ in range(12):
        player = {"german": post.anna, "allied": post.bob}[post.shown(post.anna)["turn"]]
        before = post.mail
        post.play(player, auto=True)
        if post.mail.rolls:
            break
    after = post.mail
    assert after.rolls == 1
    letters = read_file(post.data).letters
    links = {
        letter.by: move.link
        for letter in letters
        for move in letter.moves
        if isinstance(move, Revealed)
    }
    assert set(links) == {"german", "allied"}
    question = before._question  # the head when the roll was asked
    answers = [plain(answer) for answer in after.match.answers]
    assert answers[after.sources.index("fair")] == oracle.rolled(
        after.file.id, 1, question, links, (1, 6, 1)
    )


@pytest.mark.slow
def test_two_players_play_a_whole_match_to_and_fro(post: Post) -> None:
    post.accept()
    for _ in range(300):
        turn = post.shown(post.anna)["turn"]
        if turn is None:
            break
        post.play({"german": post.anna, "allied": post.bob}[turn], auto=True)
    mail = post.mail
    assert mail.match.asking is None
    assert mail.rolls > 1
    assert {"join", "answer", "seal", "half", "open", "reveal"} == set(post.moves)
    for player in (post.anna, post.bob, post.folder / "anybody"):
        shown = run("mail", "show", post.file, "--keys", player)
        assert "hold" in shown.output
        assert "The match is over." in shown.output
    assert "over" in post.refusal(post.anna)
    exported = post.folder / "exported.json"
    assert run("mail", "export", post.file, exported, "--keys", post.anna).exit_code == 0
    assert run("story", exported).exit_code == 0
    # What is played stays: without sources, seals and links it is an ordinary match.
    again = begin("weissenberg", mail.file.options)
    for answer in mail.match.answers:
        again.answer(answer)
    assert again.board == mail.match.board


def test_what_is_not_signed_can_be_taken_back(post: Post) -> None:
    post.accept()
    post.play(post.anna, "end\nundo\nundo\nquit\n")
    assert post.shown(post.anna)["letters"] == 2  # nothing was left to sign
    post.play(post.anna, "end\nquit\n")
    assert post.shown(post.anna)["letters"] == 3
    said = post.play(post.anna, "undo\nquit\n")
    assert "what is signed or revealed stands" in said
    assert post.shown(post.anna)["letters"] == 3


def test_nobody_moves_for_the_other_side(post: Post) -> None:
    post.accept()
    assert "turn of Anna (german)" in post.refusal(post.bob)
    assert "neither side" in post.refusal(post.folder / "eve")
    assert "no side of this match is free" in post.refusal(
        post.folder / "eve", "accept", "--name", "Eve"
    )


def test_nobody_accepts_his_own_match(post: Post) -> None:
    post.begin()
    assert "begun this match yourself" in post.refusal(post.anna, "accept", "--name", "Anna")


# ------------------------------------------------------------------ tampering


@pytest.fixture(scope="session")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of some letters, in a folder that is copied."""
    post = Post(tmp_path_factory.mktemp("mail")).accept()
    while not post.mail.rolls or "open" not in post.moves:
        post.play(post.anna if post.mail.turn == "german" else post.bob, auto=True)
    post.shown(post.anna)
    post.shown(post.bob)
    return post.folder


@pytest.fixture
def begun(sent: Path, tmp_path: Path) -> Post:
    copytree(sent, tmp_path / "sent")
    return Post(tmp_path / "sent")


def name(data: Json) -> None:
    data["letters"][1]["moves"][0]["name"] = "Mallory"


def answer(data: Json) -> None:
    move = next(m for letter in data["letters"] for m in letter["moves"] if m["move"] == "answer")
    move["answer"] = ["end"] if move["answer"] != ["end"] else ["move", "21/20Pz", "1811"]


def link(data: Json) -> None:
    move = next(m for letter in data["letters"] for m in letter["moves"] if m["move"] == "reveal")
    move["link"] = "0" * 64


def opened_half(data: Json) -> None:
    move = next(m for letter in data["letters"] for m in letter["moves"] if m["move"] == "open")
    move["nonce"] = "0" * 64


def half(data: Json) -> None:
    move = next(m for letter in data["letters"] for m in letter["moves"] if m["move"] == "half")
    move["option"] = [0, 0] if move["option"] != [0, 0] else [1, 0]


def signature(data: Json) -> None:
    data["letters"][2]["signature"] = data["letters"][0]["signature"]


def no_signature(data: Json) -> None:
    data["letters"][2]["signature"] = "not hexadecimal"


def author(data: Json) -> None:
    data["letters"][2]["by"] = "allied" if data["letters"][2]["by"] == "german" else "german"


def unknown_author(data: Json) -> None:
    data["letters"][2]["by"] = "swiss"


def swapped(data: Json) -> None:
    letters = data["letters"]
    letters[2], letters[3] = letters[3], letters[2]


def dropped(data: Json) -> None:
    del data["letters"][2]


def option(data: Json) -> None:
    data["options"]["ratio_clamp"] = "after"


def key(data: Json) -> None:
    data["letters"][1]["moves"][0]["key"] = "0" * 64


def identity(data: Json) -> None:
    data["id"] = "0" * 32


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (name, "the signature of letter 2 does not fit"),
        (answer, ""),
        (link, "does not belong to its chain"),
        (opened_half, "not the half that was sealed"),
        (half, ""),
        (signature, "the signature of letter 3 does not fit"),
        (no_signature, "the signature of letter 3 does not fit"),
        (author, "it is the turn of"),
        (unknown_author, "it is the turn of"),
        (swapped, ""),
        (dropped, ""),
        (option, "the signature of letter 1 does not fit"),
        (key, "the signature of letter 2 does not fit"),
        (identity, "the signature of letter 1 does not fit"),
    ],
)
def test_a_changed_file_is_refused_with_the_reason(
    begun: Post, change: Callable[[Json], None], reason: str
) -> None:
    data = begun.data
    change(data)
    begun.write(data)
    for player in (begun.anna, begun.bob, begun.folder / "anybody"):
        said = begun.refusal(player, "show")
        assert reason in said
        assert "letters" in said or "letter " in said  # the place


def written_by(data: Json) -> None:
    data["letters"][1]["by"] = STEERING


def named(data: Json) -> None:
    data["letters"][1]["moves"][0]["name"] = f"Bob{STEERING}"


def begun_as(data: Json) -> None:
    data["scenario"] = STEERING


def kept_as(data: Json) -> None:
    data[STEERING] = 1


def of_version(data: Json) -> None:
    data["mail"] = STEERING


STEERING = "\x1b]0;changed\x07\x1b[2J\u202e"


@pytest.mark.parametrize("change", [written_by, named, begun_as, kept_as, of_version])
def test_a_file_does_not_steer_the_terminal(begun: Post, change: Callable[[Json], None]) -> None:
    data = begun.data
    change(data)
    begun.write(data)
    for verb in ("show", "play"):
        said = begun.refusal(begun.anna, verb)
        assert "control character" in said
        assert not any(mark in said for mark in STEERING if not mark.isprintable())


def test_a_name_has_no_controls(post: Post) -> None:
    words = ("--side", "german", "--name", STEERING, "--keys", post.anna)
    assert "control character" in refused("mail", "new", "weissenberg", post.file, *words)
    assert not post.file.exists()


def test_an_older_file_is_refused(begun: Post) -> None:
    older = deepcopy(begun.data)
    older["letters"].pop()
    begun.write(older)
    said = begun.refusal(begun.anna)
    n = len(older["letters"])
    assert f"older than the one you have seen: it has {n} letters, you have seen {n + 1}" in said
    assert run("mail", "show", begun.file, "--keys", begun.folder / "new").exit_code == 0


def test_a_second_branch_is_refused(post: Post) -> None:
    """Anna gives another order than the one that Bob has seen."""
    before = post.accept().data
    post.play(post.anna, "end\nquit\n")
    post.shown(post.bob)
    post.write(before)
    assert "older than the one you have seen" in post.refusal(post.anna)
    (post.anna / "seen").rename(post.anna / "forgotten")
    post.play(post.anna, "move 21/20Pz 1811\nquit\n")
    assert "letter 3 is not the one that you have seen" in post.refusal(post.bob, "show")


def test_a_letter_signed_with_another_key_is_refused(post: Post) -> None:
    eve = KeyFolder(post.folder / "eve").identity()
    mail = post.accept().mail
    mail.move("german", Answered(answer=["end"]))
    post.file.write_bytes(written_file(mail.signed(eve, "german")))
    assert "the signature of letter 3 does not fit" in post.refusal(post.bob, "show")


def test_somebody_else_does_not_take_the_place_of_a_player(post: Post) -> None:
    """Eve answers the invitation in Bob's place: Anna, who has seen Bob's letter, refuses."""
    invitation = post.begin().data
    run("mail", "accept", post.file, "--name", "Bob", "--keys", post.bob)
    post.shown(post.anna)
    post.write(invitation)
    run("mail", "accept", post.file, "--name", "Bob", "--keys", post.folder / "eve")
    assert "letter 2 is not the one that you have seen" in post.refusal(post.anna, "show")


def test_dice_of_a_match_are_never_those_of_another(post: Post) -> None:
    """An invitation sent twice does not make a player use his links twice."""
    invitation = post.begin().data
    anchors = set()
    for number in range(2):
        post.write(invitation)
        if (post.bob / "seen").exists():
            (post.bob / "seen").rename(post.bob / f"forgotten{number}")
        run("mail", "accept", post.file, "--name", "Bob", "--keys", post.bob)
        anchors.add(post.data["letters"][1]["moves"][0]["anchor"])
    assert len(anchors) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"mail": 2}',
        '{"mail": 1}',
        '{"mail": 1, "id": "../../x", "scenario": "weissenberg", "options": {}, "created": "", '
        '"letters": []}',
        '{"mail": 1, "id": "00000000000000000000000000000000", "scenario": "nowhere", '
        '"options": {}, "created": "", "letters": []}',
        '{"match": 1, "scenario": "weissenberg", "options": {}, "answers": []}',
    ],
)
def test_what_is_no_match_by_mail_is_refused(post: Post, text: str) -> None:
    post.file.write_text(text, encoding="utf-8")
    for verb, *words in (["show"], ["play"], ["accept", "--name", "Bob"]):
        assert str(post.file) in post.refusal(post.bob, verb, *words)


def test_a_file_that_is_not_there_is_refused(post: Post) -> None:
    assert "can't be read" in post.refusal(post.bob, "show")


def test_a_damaged_key_is_refused(post: Post) -> None:
    post.begin()
    (post.anna / "key").write_text("no key", encoding="utf-8")
    assert "not a key" in post.refusal(post.anna, "play")


def test_signatures_are_ed25519() -> None:
    """The first test vector of RFC 8032."""
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    signature = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b"
    )
    assert signed_by(public, "", signature)
    assert not signed_by(public, "x", signature)
    assert not signed_by(public, "", "00" * 64)
    assert not signed_by("00", "", signature)


def test_a_letter_signs_its_number_its_author_and_all_before_it() -> None:
    texts = {letter_text(1, "a", "x"), letter_text(2, "a", "x"), letter_text(1, "b", "x")}
    assert len({*texts, letter_text(1, "a", "y")}) == 4
