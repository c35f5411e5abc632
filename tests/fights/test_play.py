import json

import msgspec
import pytest
from msgspec.structs import replace

from grognard import Refusal, load
from grognard.fights.opening import opening
from grognard.fights.play import Play
from grognard.fights.record import Record, read_record, record, replay
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.game import ids
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet


@pytest.fixture
def fight() -> Fight:
    return load("bautzen").fight(
        attackers=[{"name": "A", "attack": 12}, {"name": "B", "attack": 6}],
        defenders=[{"name": "D", "defence": 6}],
    )


def to_data(kept: Record) -> dict[str, object]:
    data: dict[str, object] = json.loads(msgspec.json.encode(kept))
    return data


def played(fight: Fight) -> Play:
    # 3/1 and a 5: one step each way per the table (1/2).
    play = fight.play()
    for answer in ((5,), "A", 1, ("A", "B")):
        play.answer(answer)
    return play


def test_a_play_asks_until_it_is_over(fight: Fight) -> None:
    play = played(fight)
    assert play.asking is None
    assert [unit.steps for unit in play.fight.attackers] == [1, 2]
    assert [unit.steps for unit in play.fight.defenders] == [1]


def test_nothing_can_be_answered_after_the_end(fight: Fight) -> None:
    with pytest.raises(Refusal, match="over"):
        played(fight).answer(1)


def test_an_outcome_before_the_end_is_refused(fight: Fight) -> None:
    with pytest.raises(Refusal, match="not over"):
        _ = fight.play().outcome


@pytest.mark.parametrize(
    ("game", "sheet"), [(id_, sheet) for id_ in ids() for sheet in player_sheet.load(id_).sheets]
)
def test_a_play_from_a_known_opening_is_that_from_the_start(game: str, sheet: PlayerSheet) -> None:
    fight = load(game).fight(dict(sheet.example), procedure=sheet.procedure)
    play, again = Play(fight), Play(fight, known=opening(fight))
    while True:
        assert again.log == play.log
        assert (again.asking, again.step, again.since) == (play.asking, play.step, play.since)
        assert again.fight.case.setup == play.fight.case.setup
        assert replace(again.fight, case=play.fight.case) == play.fight
        match play.asking:
            case Roll():
                answer: Answer = (3,) * play.asking.dice.count
            case Choose():
                answer = play.asking.options[-1]
            case Commit():
                answer = (play.asking.attacker[-1], play.asking.defender[-1])
            case None:
                break
        play.answer(answer)
        again.answer(answer)
    assert again.outcome == play.outcome


@pytest.mark.parametrize("answer", [(7,), (0,), (5, 3), 5, "5", ()])
def test_dice_that_can_not_be_rolled_are_refused(fight: Fight, answer: tuple[int, ...]) -> None:
    play = fight.play()
    with pytest.raises(Refusal, match="expected 1 die from 1 to 6"):
        play.answer(answer)
    assert play.given == []


def test_an_illegal_choice_is_refused_and_changes_nothing(fight: Fight) -> None:
    play = fight.play()
    play.answer((5,))
    with pytest.raises(Refusal, match="expected one of A, B"):
        play.answer("D")
    assert len(play.given) == 1
    play.answer("B")


def test_undo_goes_back_to_the_roll_and_not_beyond(fight: Fight) -> None:
    play = fight.play()
    assert not play.can_undo()
    play.answer((5,))
    assert not play.can_undo()
    with pytest.raises(Refusal, match="taken back"):
        play.undo()
    play.answer("A")
    play.answer(2)
    play.undo()
    play.undo()
    assert not play.can_undo()
    play.answer("B")
    assert [unit.steps for unit in play.fight.attackers] == [2, 1]


def test_a_reveal_is_not_undone() -> None:
    fight = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 6}],
        defenders=[{"name": "D", "defence": 6}],
        attacker_cl_at_hand=1,
    )
    play = fight.play()
    play.answer(((1, 0), (0, 0)))
    assert not play.can_undo()


def test_a_record_replays_to_the_same_end(fight: Fight) -> None:
    play = played(fight)
    again = replay(read_record(to_data(record(play))))
    assert again.outcome == play.outcome
    assert again.events == play.events


def test_an_unfinished_record_replays_too(fight: Fight) -> None:
    play = fight.play()
    play.answer((5,))
    again = replay(read_record(to_data(record(play))))
    assert again.asking == play.asking


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda data: data["answers"][0].update(answer=[1]), "answers[2]"),
        (lambda data: data["answers"][0].update(answer=[9]), "answers[0]"),
        (lambda data: data["answers"][1].update(answer="C"), "answers[1]"),
        (lambda data: data["answers"][1].update(what="trade"), "answers[1]"),
        (lambda data: data["answers"].append(data["answers"][0]), "answers[4]"),
        (lambda data: data["events"][0].update(value="1/1"), "events[0]"),
        (lambda data: data["events"].pop(), "events"),
        (lambda data: data["fight"]["defenders"][0].update(defence=-1), "defenders[0].defence"),
        (lambda data: data["options"].update(ratio_clamp="never"), "options.ratio_clamp"),
        (lambda data: data.update(record=2), "record"),
        (lambda data: data.pop("game"), ""),
    ],
)
def test_an_altered_record_is_refused_where_it_stops_holding(
    fight: Fight, change: object, place: str
) -> None:
    data = to_data(record(played(fight)))
    assert callable(change)
    change(data)
    with pytest.raises(Refusal) as refused:
        replay(read_record(data))
    assert refused.value.place == place


def test_a_roll_that_the_rules_refuse_is_not_kept() -> None:
    # 2d6 of 4 in an even fight is column 4; at m4 the attacker's half of it is damaged.
    october = load("white-october")
    unit = {"pe": 2, "strength": 4, "quality": 4, "morale": 4}
    play = october.fight(
        attackers=[{"name": "A", **unit}],
        defenders=[{"name": "D", **unit}],
        options={"damaged_cells": "refuse"},
    ).play()
    with pytest.raises(Refusal, match="damaged in print"):
        play.answer((2, 2))
    assert play.given == []
    play.answer((3, 4))
    assert play.asking is None
