"""Match files of matches apart: the independent script and the program check every roll."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grognard.matches.dice_check import dice_check
from grognard.matches.dice_client import Notes
from grognard.matches.fair_dice import anchor_of, link_of, new_secret
from grognard.matches.match import from_saved, read_match
from grognard.words.refusal import Refusal
from tests.command import refused, run
from tests.oracles import fair_dice as oracle
from tests.processes import PATIENCE
from tests.web.fair_match import Apart, begun
from tests.web.serving import client

SCRIPT = Path(__file__).parents[2] / "examples" / "check_dice.py"
ROLLS = 3
Json = dict[str, Any]


class Played:
    """A match apart that was played over HTTP."""

    def __init__(self, folder: Path) -> None:
        file = folder / "matches.sqlite"
        with client(file) as web:
            for _ in range(20):  # until the dice allow so many rolls
                apart = Apart(web, begun(web))
                apart.to_roll()
                apart.play(1)
                apart.clients["german"].begin()  # on another device
                apart.play(ROLLS)
                if apart.rolls == ROLLS:
                    break
            self.file = apart.file()
            self.notes = {side: one.notes for side, one in apart.clients.items()}


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("apart"))


@pytest.fixture
def file(played: Played) -> Json:
    return deepcopy(played.file)


def script() -> Callable[[list[str]], int]:
    spec = importlib.util.spec_from_file_location("check_dice", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    main: Callable[[list[str]], int] = module.main
    return main


def checked(folder: Path, *data: object) -> int:
    """Run the script on files in this process; give its exit status."""
    names = [folder / f"{number}.json" for number in range(len(data))]
    for name, one in zip(names, data, strict=True):
        text = one if isinstance(one, str) else msgspec.json.encode(one).decode()
        name.write_text(text, encoding="utf-8")
    return script()([str(name) for name in names])


def checked_here(file: Json) -> str:
    """What the program says of a file."""
    kept = read_match(file)
    try:
        return str(dice_check(from_saved(kept), kept).words)
    except Refusal as refusal:
        return str(refusal)


def fair(file: Json) -> list[int]:
    return [n for n, source in enumerate(file["proof"]["sources"]) if source == "fair"]


# ------------------------------------------------------------------ what holds


def test_all_rolls_of_a_real_match_hold(
    tmp_path: Path, file: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, file) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [file["answers"][n] for n in fair(file)]
    assert len(shown) == ROLLS
    assert [line for line in lines if line.startswith("roll")] == [
        f"roll {k}: {len(dice)}d6 {' '.join(map(str, dice))}" for k, dice in enumerate(shown, 1)
    ]
    assert sum(line.startswith("anchor of") for line in lines) == 3  # one side began a second
    assert lines[-1] == f"all {ROLLS} rolls hold"
    assert checked_here(file) == f"Dice: made by both sides; {ROLLS} rolls checked."


def test_the_rolls_are_those_of_the_document(file: Json) -> None:
    proof = file["proof"]
    head = oracle.lines(
        "match",
        proof["id"],
        file["scenario"],
        msgspec.json.encode(file["options"]).decode(),
        proof["created"],
    ).hex()
    for n, answer in enumerate(file["answers"]):
        source, nonce = proof["sources"][n], proof["nonces"][n]
        if source == "fair":
            roll = fair(file).index(n) + 1
            made = proof["rolls"][roll - 1]
            dice = len(answer), made["faces"], made["lowest"]
            assert oracle.rolled(proof["id"], roll, head, made["links"], dice) == answer
        head = oracle.lines(head, nonce, source, msgspec.json.encode(answer).decode()).hex()
        assert head == proof["heads"][n]


@pytest.mark.process
def test_the_script_needs_nothing_but_python(tmp_path: Path, file: Json) -> None:
    name = tmp_path / "match.json"
    for status, answers in [(0, file["answers"]), (1, [*file["answers"][:-1], [7]])]:
        name.write_text(json.dumps({**file, "answers": answers}), encoding="utf-8")
        command = [sys.executable, "-I", "-S", str(SCRIPT), str(name)]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stderr) == (status, b"")


def test_the_script_is_short_and_knows_nothing_of_the_program() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 180
    imported = [line for line in text.splitlines() if line.startswith(("import", "from"))]
    assert {line.split()[1] for line in imported} == {"json", "sys", "hashlib", "pathlib"}


def test_answers_of_any_text_are_written_as_the_store_writes_them() -> None:
    spec = importlib.util.spec_from_file_location("check_dice", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    texts = [chr(n) for n in range(0x250)] + ["Bâle/3", "\u2028", "😀", '"\\/']
    for text in texts:
        assert module.compact(text) == msgspec.json.encode(text).decode(), repr(text)


def test_notes_of_each_side_agree_with_the_file(tmp_path: Path, played: Played) -> None:
    for notes in played.notes.values():
        assert checked(tmp_path, played.file, notes) == 0


# ------------------------------------------------------------------ what does not


def changed_die(file: Json) -> None:
    answer = file["answers"][fair(file)[1]]
    answer[0] = answer[0] % 6 + 1


def changed_link(file: Json) -> None:
    file["proof"]["rolls"][1]["links"]["german"] = new_secret()


def unreadable_link(file: Json) -> None:
    file["proof"]["rolls"][1]["links"]["german"] = "z" * 64


def changed_answer(file: Json) -> None:
    file["answers"][0] = ["move", "21/20Pz", "1811"]


def changed_source(file: Json) -> None:
    """A roll that one side made alone is passed off as fair, or the other way round."""
    file["proof"]["sources"][fair(file)[0]] = "rolled"


def changed_nonce(file: Json) -> None:
    file["proof"]["nonces"][2] = "0" * 32


def changed_options(file: Json) -> None:
    file["options"]["ratio_clamp"] = "after"


def swapped_rolls(file: Json) -> None:
    rolls = file["proof"]["rolls"]
    rolls[0], rolls[1] = rolls[1], rolls[0]


def missing_roll(file: Json) -> None:
    file["proof"]["rolls"].pop()


def roll_too_many(file: Json) -> None:
    file["proof"]["rolls"].append(file["proof"]["rolls"][-1])


def missing_anchor(file: Json) -> None:
    chains = file["proof"]["chains"]
    chains.remove(next(chain for chain in chains if chain["side"] == "allied"))


def another_chain(file: Json) -> None:
    """A chain that was begun later is passed off as the one before the first roll."""
    proof, first = file["proof"], fair(file)[0]
    chain = next(chain for chain in proof["chains"] if chain["side"] == "allied")
    links = dict(proof["rolls"][0]["links"])
    shown = file["answers"][first]
    while True:  # until it makes another roll of the first one
        secret = new_secret()
        links["allied"] = link_of(secret, 0)
        if oracle.rolled(proof["id"], 1, proof["heads"][first - 1], links, (1, 6, 1)) != shown:
            break
    chain["anchor"] = anchor_of(secret)
    for place, roll in enumerate(proof["rolls"]):
        roll["links"]["allied"] = link_of(secret, place)


def one_side_alone(file: Json) -> None:
    for roll in file["proof"]["rolls"]:
        del roll["links"]["allied"]


def other_faces(file: Json) -> None:
    file["proof"]["rolls"][0]["faces"] = 100
    file["proof"]["rolls"][0]["lowest"] = 7


def no_faces(file: Json) -> None:
    file["proof"]["rolls"][0]["faces"] = 0


def endless_faces(file: Json) -> None:
    file["proof"]["rolls"][0]["faces"] = 2**40


def rechained(file: Json) -> None:
    proof = file["proof"]
    options = msgspec.json.encode(file["options"]).decode()
    head = oracle.lines("match", proof["id"], file["scenario"], options, proof["created"]).hex()
    for n, answer in enumerate(file["answers"]):
        text = msgspec.json.encode(answer).decode()
        head = oracle.lines(head, proof["nonces"][n], proof["sources"][n], text).hex()
        proof["heads"][n] = head


def made_alone(file: Json, source: str) -> None:
    """The last roll was not made by both sides, and all that covers it fits."""
    proof = file["proof"]
    proof["sources"][fair(file)[-1]] = source
    proof["rolls"].pop()
    rechained(file)


def roll_of_the_server(file: Json) -> None:
    made_alone(file, "rolled")


def typed_roll(file: Json) -> None:
    made_alone(file, "typed")


def shorter(file: Json) -> None:
    file["proof"]["nonces"].pop()


FORGED: list[tuple[Callable[[Json], None], str]] = [
    (changed_die, "roll 2: the file shows"),
    (changed_link, "roll 2: the link of german"),
    (unreadable_link, "roll 2: the link of german"),
    (changed_answer, "answer 1 is not"),
    (changed_source, "was rolled, not made by both sides"),
    (changed_nonce, "answer 3 is not"),
    (changed_options, "answer 1 is not"),
    (swapped_rolls, "roll 1: the link of"),
    (missing_roll, f"roll {ROLLS}: its links are missing"),
    (roll_too_many, "no answer shows"),
    (missing_anchor, "roll 1: allied has published no anchor"),
    (another_chain, "roll 1: the file shows"),
    (one_side_alone, "roll 1: expected a link of two sides"),
    (other_faces, "roll 1: the file shows"),
    (no_faces, "roll 1: these are no dice"),
    (endless_faces, "roll 1: these are no dice"),
    (shorter, "a line for each answer"),
    (roll_of_the_server, "was rolled, not made by both sides"),
    (typed_roll, "was typed, not made by both sides"),
]


@pytest.mark.parametrize(
    ("forge", "reason"), FORGED, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_forged_file_is_refused_with_its_reason(
    tmp_path: Path,
    file: Json,
    forge: Callable[[Json], None],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forge(file)
    status = checked(tmp_path, file)
    said = capsys.readouterr().out.splitlines()[-1]
    assert (status, said.startswith("does not hold: ")) == (1, True), said
    assert reason in said
    assert "checked" not in checked_here(file)


@pytest.mark.parametrize(
    "data", ["", "{", "[]", "{}", '{"match": 1}', '{"proof": 1}', '{"proof": {"id": 1}}']
)
def test_what_is_no_file_of_a_match_apart_has_nothing_to_check(tmp_path: Path, data: str) -> None:
    assert checked(tmp_path, data) == 2
    assert script()([str(tmp_path / "not there")]) == 2
    assert script()([]) == 2


@pytest.mark.parametrize("source", ["person", "automatic", "imported", "unknown"])
def test_dice_without_a_proof_are_named_whatever_they_are_called(
    tmp_path: Path, file: Json, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    n = fair(file)[-1]
    made_alone(file, source)
    assert checked(tmp_path, file) == 2
    lines = capsys.readouterr().out.splitlines()
    assert f"answer {n + 1}: {file['answers'][n]} ({source}) can't be checked" in lines
    assert lines[-1] == f"{ROLLS - 1} rolls hold; 1 can't be checked"
    assert f"{ROLLS - 1} of {ROLLS} rolls" in checked_here(file)


def other_question(notes: Notes) -> None:
    notes.reveals[1].question = "0" * 64


def other_anchor(notes: Notes) -> None:
    notes.reveals[1].other = "0" * 64


def other_link(notes: Notes) -> None:
    notes.reveals[1].value = "0" * 64


def more_dice(notes: Notes) -> None:
    notes.reveals[1].dice["count"] = 2


def other_place(notes: Notes) -> None:
    notes.reveals[1].steps = 2


def other_match(notes: Notes) -> None:
    notes.match = "another"


def other_name(notes: Notes) -> None:
    notes.other = "zzz"


def roll_left_out(notes: Notes) -> None:
    notes.reveals[ROLLS + 2] = notes.reveals[1]


def withdrawn_chain(notes: Notes) -> None:
    notes.withdrawn.append(notes.reveals[1])


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (other_question, "for another question"),
        (other_anchor, "for another other"),
        (other_link, "for another value"),
        (more_dice, "for another dice"),
        (other_place, "for another steps"),
        (other_match, "notes of the match another"),
        (other_name, "by other sides than german and zzz"),
        (roll_left_out, "it is not shown"),
        (withdrawn_chain, "is not shown"),
    ],
)
def test_notes_find_a_history_that_was_written_anew(
    tmp_path: Path,
    played: Played,
    alter: Callable[[Notes], None],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A server that knows one side's secret can write a file that holds in itself; the notes of the
    other side disagree."""
    notes = deepcopy(played.notes["german"])
    alter(notes)
    assert checked(tmp_path, played.file, notes) == 1
    assert reason in capsys.readouterr().out.splitlines()[-1]


def test_a_reveal_that_waits_for_the_other_side_is_no_contradiction(
    tmp_path: Path, played: Played
) -> None:
    notes = deepcopy(played.notes["german"])
    notes.reveals[ROLLS + 1] = notes.reveals[1]
    assert checked(tmp_path, played.file, notes) == 0


# ------------------------------------------------------------------ importing


def test_an_import_says_whether_its_dice_were_checked(tmp_path: Path, file: Json) -> None:
    with client(tmp_path / "other.sqlite") as web:

        def imported(data: Json) -> Json:
            answer = web.post("/api/matches/import", json={"match": data})
            found: Json = answer.json()
            return {"status": answer.status_code, **found}

        assert imported(file)["origin"] == "checked"
        plain = {key: value for key, value in file.items() if key != "proof"}
        assert imported(plain)["origin"] == "imported"
        assert (
            web.post("/api/matches", json={"scenario": "weissenberg"}).json()["origin"] == "begun"
        )
        changed_link(file)
        refused = imported(file)
        assert (refused["status"], refused["place"]) == (422, "match.proof.rolls[1]")
        assert len(web.get("/api/matches").json()) == 3


# ------------------------------------------------------------------ on the terminal


def test_the_terminal_says_whether_dice_can_be_checked(tmp_path: Path, file: Json) -> None:
    name = tmp_path / "match.json"
    plain = {key: value for key, value in file.items() if key != "proof"}
    for data, words in [
        (file, f"Dice: made by both sides; {ROLLS} rolls checked."),
        (plain, f"Dice: {ROLLS} rolls; they can't be checked."),
    ]:
        name.write_text(json.dumps(data), encoding="utf-8")
        assert words in run("story", name).output
        assert words in run("play", name, stdin="quit\n").output
    told = json.loads(run("story", name, "--json").output)["tallies"]
    assert {one["source"] for one in told} == {None, "unknown"}
    name.write_text(json.dumps(file), encoding="utf-8")
    told = json.loads(run("story", name, "--json").output)["tallies"]
    assert {one["source"] for one in told} == {None, "fair"}


def test_the_terminal_refuses_a_proof_that_does_not_hold(tmp_path: Path, file: Json) -> None:
    name = tmp_path / "match.json"
    changed_link(file)
    name.write_text(json.dumps(file), encoding="utf-8")
    for verb in ("story", "play"):
        said = refused(verb, name)
        assert str(name) in said
        assert "proof.rolls[1]" in said
        assert "does not belong to its chain" in said
