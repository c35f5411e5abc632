"""Check the dice of a Grognard match file, without Grognard: python3 check_dice.py FILE [NOTES].

The file comes from the page of a match apart (Export). Everything is worked out again as
docs/dice.md tells: the chain of answers, the hash chains of both sides, each roll. NOTES are what
a page has kept of its own reveals; with them everything that it knew then is compared as well.
Exit status: 0 all rolls hold, 1 one does not, 2 not everything can be checked, or nothing.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path


class Wrong(Exception):
    """Something does not hold."""


def digest(*lines):
    """SHA-256 of lines of text, as hexadecimal digits."""
    return sha256("\n".join(map(str, lines)).encode()).hexdigest()


def compact(data):
    """JSON without blanks."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def is_link(text):
    """Whether a text is 64 small hexadecimal digits."""
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


def follows(link):
    """The link after a link of a hash chain."""
    return sha256(bytes.fromhex(link)).hexdigest()


def dice(match, roll, question, links, count, faces, lowest):
    """The dice that both sides have made."""
    shown, counter = [], 0
    limit = 2**32 - 2**32 % faces
    while len(shown) < count:
        in_order = [links[side] for side in sorted(links)]
        block = bytes.fromhex(digest("grognard dice 1", match, roll, question, *in_order, counter))
        numbers = [int.from_bytes(block[place : place + 4], "big") for place in range(0, 32, 4)]
        shown += [lowest + number % faces for number in numbers if number < limit]
        counter += 1
    return shown[:count]


def check_links(proof, roll, links, before):
    """Check that the links of a roll belong to the chains; give the chains."""
    if len(links) != 2:
        raise Wrong(f"roll {roll}: expected a link of two sides, found {len(links)}")
    chains = {}
    for side, link in links.items():
        counts = [one for one in proof["chains"] if not one.get("withdrawn")]
        begun = [one for one in counts if one["side"] == side and one["first"] <= roll]
        if not begun:
            raise Wrong(f"roll {roll}: {side} has published no anchor before it")
        chain = max(begun, key=lambda one: one["first"])
        previous = chain["anchor"] if chain["first"] == roll else before.get(side)
        if not is_link(link) or follows(link) != previous:
            raise Wrong(f"roll {roll}: the link of {side} does not belong to its chain")
        chains[side] = chain
    return chains


def check_note(notes, roll, question, made, number, chains):
    """Compare a roll with what a side noted when it revealed."""
    side, other = notes["side"], notes["other"]
    note = notes["reveals"].get(str(roll))
    if set(chains) != {side, other}:
        raise Wrong(f"roll {roll}: it was made by other sides than {side} and {other}")
    if note is None:
        return
    shown = {
        "question": question,
        "dice": {"count": number, "faces": made["faces"], "lowest": made["lowest"]},
        "value": made["links"][side],
        "anchor": chains[side]["anchor"],
        "other": chains[other]["anchor"],
        "steps": roll - chains[other]["first"] + 1,
    }
    for key, value in shown.items():
        if note[key] != value:
            raise Wrong(f"roll {roll}: {side} revealed for another {key}: {note[key]}")


def check_notes(notes, proof):
    """Check that notes are of this match, and that it shows every chain and roll of them."""
    if notes["match"] != proof["id"]:
        raise Wrong(f"these are notes of the match {notes['match']}, not of {proof['id']}")
    later = [int(roll) for roll in notes["reveals"] if int(roll) > len(proof["rolls"]) + 1]
    if later:
        raise Wrong(f"roll {min(later)}: {notes['side']} revealed for it, and it is not shown")
    known = {chain["anchor"] for chain in proof["chains"] if chain.get("withdrawn")}
    for note in notes["withdrawn"]:
        print(f"roll {note['roll']}: {notes['side']} withdrew a link of {note['anchor']}")
        if note["anchor"] not in known:
            raise Wrong(f"the withdrawn chain {note['anchor']} is not shown")


def check_roll(proof, roll, question, answer, before, notes):
    """Check a roll; print it, and give its links."""
    if roll > len(proof["rolls"]):
        raise Wrong(f"roll {roll}: its links are missing")
    made = proof["rolls"][roll - 1]
    links, faces = made["links"], made["faces"]
    if not (2 <= faces <= 1000 and isinstance(answer, list) and answer):
        raise Wrong(f"roll {roll}: these are no dice")
    chains = check_links(proof, roll, links, before)
    right = dice(proof["id"], roll, question, links, len(answer), faces, made["lowest"])
    if right != answer:
        raise Wrong(f"roll {roll}: the file shows {answer}, both sides made {right}")
    if notes:
        check_note(notes, roll, question, made, len(answer), chains)
    print(f"roll {roll}: {len(answer)}d{faces} {' '.join(map(str, answer))}")
    return links


def check(match, notes):
    """Check a match, answer by answer; give the number of rolls, and of those without a proof."""
    proof, answers, options = match["proof"], match["answers"], compact(match["options"])
    if {len(proof[key]) for key in ("sources", "nonces", "heads")} != {len(answers)}:
        raise Wrong("the proof does not have a line for each answer")
    for chain in proof["chains"]:
        given_up = " (withdrawn)" if chain.get("withdrawn") else ""
        print(
            f"anchor of {chain['side']} from roll {chain['first']} on{given_up}: {chain['anchor']}"
        )
    if notes:
        check_notes(notes, proof)
    head = digest("match", proof["id"], match["scenario"], options, proof["created"])
    roll, unproven, links = 0, 0, {}
    for number, answer in enumerate(answers):
        source = proof["sources"][number]
        if source == "fair":
            roll += 1
            links = check_roll(proof, roll, head, answer, links, notes)
        elif source in ("typed", "rolled"):
            raise Wrong(f"answer {number + 1}: {answer} was {source}, not made by both sides")
        elif isinstance(answer, list) and answer and all(isinstance(one, int) for one in answer):
            unproven += 1  # no choice looks like this, dice do
            print(f"answer {number + 1}: {answer} ({source}) can't be checked")
        head = digest(head, proof["nonces"][number], source, compact(answer))
        if head != proof["heads"][number]:
            raise Wrong(f"answer {number + 1} is not the one that was given")
    if roll != len(proof["rolls"]):
        raise Wrong("there are links for rolls that no answer shows")
    return roll, unproven


def main(arguments):
    """Check the file that is named; give the exit status."""
    try:
        match, *notes = [json.loads(Path(name).read_text("utf-8")) for name in arguments]
        if not match.get("proof"):
            print("nothing to check: the dice of this match were not made by both sides")
            return 2
        rolls, unproven = check(match, notes[0] if notes else None)
    except Wrong as problem:
        print(f"does not hold: {problem}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        print(f"this is not a match file that can be checked: {problem!r}")
        return 2
    if unproven:
        print(f"{rolls} rolls hold; {unproven} can't be checked")
        return 2
    print(f"all {rolls} rolls hold")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
