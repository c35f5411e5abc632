"""Quick combat in a real browser: set up by tapping, rolled, led to the end."""

import json
import re
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import QUICK, Screen, Window

PROCEDURES = {
    "bautzen/attack": ("attackers", "defenders"),
    "white-october/attack": ("attackers", "defenders"),
    "normandy/attack": ("attackers", "defenders"),
    "normandy/strafing": ("targets",),
    "normandy/attrition": ("units",),
    "panzer-grenadier/direct-fire": ("attackers", "defenders"),
    "panzer-grenadier/anti-tank": ("attackers", "defenders"),
}


def take_up(page: Page, list_: str) -> None:
    """Tap the first counter of the game that is offered for a list."""
    palette = page.locator(f"#palette-{list_}")
    if palette.get_attribute("open") is None:
        palette.locator("summary").click()
    armour = palette.locator("button.counter:has(use[href*='Tk'])")  # strafing needs some
    (armour if list_ == "targets" else palette.locator("button.counter")).first.click()
    expect(page.locator(f"#unit-{list_}-0")).to_be_visible()


def lead_to_the_end(page: Page, die: int | None = None) -> None:
    """Roll where dice are asked for, or tap the given one, and take the first answer elsewhere."""
    for _ in range(60):
        page.wait_for_timeout(QUICK)  # one spot is not tapped twice in a hurry
        if page.locator(".end").count():
            return
        question = page.locator("#question")
        steps = page.locator(".resolution").inner_text()
        if die and question.locator("[data-roll]").count():
            for _ in range(int(question.locator(".dice").get_attribute("data-dice") or 1)):
                question.locator(f"[data-die='{die}']").click()
        elif question.locator("[data-roll]").count():
            question.locator("[data-roll]").click()
        else:
            question.locator(":is([data-answer], [data-commit]):visible").first.click()
        expect(page.locator(".resolution")).not_to_have_text(steps, use_inner_text=True)
    raise AssertionError("the fight does not end")


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_every_procedure_is_set_up_by_tapping_rolled_and_led_to_the_end(
    window: Window, procedure: str
) -> None:
    page = window.open(f"/games/{procedure}?start=empty")
    for list_ in PROCEDURES[procedure]:
        take_up(page, list_)
    expect(page.locator(".printed th.in-question").first).to_be_visible()
    expect(page.locator(".outcomes :is(.bars, .fate)").first).to_be_visible()
    lead_to_the_end(page)
    expect(page.locator(".printed td.hit").first).to_be_visible()


def test_a_new_user_sees_the_odds_of_a_sample_fight_at_once(window: Window) -> None:
    page = window.open("/")
    page.get_by_role("link", name="Bautzen 1945").first.click()
    expect(page.locator(".headline strong.column")).to_be_visible()
    expect(page.locator(".outcomes")).to_contain_text("%")
    expect(page.locator(".refusal")).to_have_count(0)


def test_the_last_fight_comes_back(window: Window) -> None:
    """The browser keeps the last fight of each procedure; a control begins with an empty sheet."""
    page = window.open("/games/bautzen/attack")
    page.locator("#unit-attackers-4").click()
    expect(page.locator(".headline")).to_contain_text("20")
    page.goto(f"{window.address}/games/bautzen/attack")
    expect(page.locator("#unit-attackers-3")).to_be_visible()
    expect(page.locator("#unit-attackers-4")).to_have_count(0)
    page.get_by_role("link", name="Empty sheet").click()
    expect(page.locator(".fielded .missing")).to_have_count(2)
    expect(page.locator(".printed")).to_be_visible()
    page.goto(f"{window.address}/games/normandy/attack")
    expect(page.locator("#unit-attackers-2")).to_be_visible()
    page.goto(f"{window.address}/games/bautzen/attack")
    expect(page.locator("#unit-attackers-3")).to_be_visible()


def test_a_kept_fight_that_is_refused_gives_way_to_the_sample(window: Window) -> None:
    page = window.open("/games/bautzen/attack")
    page.evaluate("localStorage.setItem('fight:/games/bautzen/attack', '{\"unknown\": 1}')")
    page.reload()
    expect(page.locator("#unit-attackers-4")).to_be_visible()
    page.locator("#unit-attackers-4").click()
    expect(page.locator(".headline")).to_contain_text("20")


def test_a_counter_is_tapped_in_and_out_and_the_tray_stays_in_place(window: Window) -> None:
    page = window.open("/games/bautzen/attack?start=empty")
    counter = page.locator("#palette-attackers button[data-name='QG 20 Pz']")
    place = counter.bounding_box()
    counter.click()
    expect(counter).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#unit-attackers-0")).to_be_visible()
    assert counter.bounding_box() == place
    counter.click(delay=400)
    expect(page.locator("#unit-attackers-0")).to_have_count(0)
    assert counter.bounding_box() == place
    column = page.locator("#palette-attackers button[data-name='CL G1']")
    column.click()
    expect(page.locator("#m-cl-attacker, #c-attacker_cl").first).to_have_value("1")
    page.locator("#beside-tray-CL_20_G1").click(delay=400)
    expect(page.locator("#c-attacker_cl")).to_have_value("0")


# Both at once: a busy machine would leave more than a moment between them.
TWO_TAPS = """(button) => {
    const { x, y } = button.getBoundingClientRect();
    const how = { bubbles: true, detail: 1, clientX: x + 5, clientY: y + 5 };
    for (const type of ["click", "click"]) button.dispatchEvent(new MouseEvent(type, how));
}"""


def test_two_quick_taps_on_one_spot_never_hit_two_things(window: Window) -> None:
    """The counter that slides under the finger stays; a slower tap takes it out."""
    page = window.open("/games/bautzen/attack")
    box = page.locator("#unit-attackers-0").bounding_box()
    assert box is not None
    spot = box["x"] + 20, box["y"] + 20
    page.mouse.click(*spot)
    expect(page.locator("#unit-attackers-0")).to_have_attribute("data-name", "59/20Pz")
    page.wait_for_timeout(QUICK)
    page.evaluate(
        """([x, y]) => {
            const tap = () => document.elementFromPoint(x, y).dispatchEvent(
                new MouseEvent("click", { bubbles: true, detail: 1, clientX: x, clientY: y }));
            tap(); document.querySelector("#unit-attackers-0").dataset.name = "another"; tap();
        }""",
        list(spot),
    )
    expect(page.locator(".fielded").first.locator("[data-remove]")).to_have_count(3)
    page.locator("#palette-attackers > summary").click()
    counter = page.locator("#palette-attackers button[data-name='59/20Pz']")
    for state in ("true", "false"):
        page.wait_for_timeout(QUICK)
        counter.evaluate(TWO_TAPS)
        expect(counter).to_have_attribute("aria-pressed", state)


def test_what_is_tapped_before_the_script_is_there_counts(window: Window) -> None:
    page, held = window.open("/"), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/static/*/quick.js", hold)
    page.goto(f"{window.address}/games/bautzen/attack?start=empty", wait_until="commit")
    page.locator("#palette-attackers button.counter").first.click()
    page.locator("#palette-defenders button.counter").first.click()
    page.get_by_role("checkbox", name="Village").check()
    expect(page.locator(".headline strong.column")).to_have_count(0)
    (script,) = held
    script.continue_()
    expect(page.locator(".headline strong.column")).to_be_visible()
    expect(page.locator("[data-remove]")).to_have_count(2)
    expect(page.get_by_role("checkbox", name="Village")).to_be_checked()


def stated(**fight: object) -> str:
    """Give the address of a Bautzen attack."""
    return "/games/bautzen/attack?s=" + quote(json.dumps({"fight": fight}))


WEISSENBERG = {
    "attackers": [
        {"name": "21/20Pz", "kind": "armour", "attack": 6},
        {"name": "59/20Pz", "kind": "mechanised", "attack": 4},
        {"name": "112/20Pz", "kind": "mechanised", "attack": 4},
        {"name": "QG 20 Pz", "kind": "hq", "size": "division-hq", "support": 6},
        {"name": "QG 57 PzK", "kind": "hq", "size": "army-hq", "support": 6, "at_distance": True},
    ],
    "defenders": [
        {"name": "861/294", "defence": 4},
        {
            "name": "QG 294 RD",
            "kind": "hq",
            "size": "division-hq",
            "support": 2,
            "at_distance": True,
        },
    ],
}


def test_every_tap_changes_column_die_and_chances_at_once(window: Window) -> None:
    """8.2: 26 : 6 is 4/1; a column of the defender's and the formation give 3/1 with +1."""
    page = window.open(stated(**WEISSENBERG))
    headline = page.locator(".headline")
    expect(headline).to_contain_text("26")
    expect(headline.locator("strong.column")).to_have_text(re.compile("4/1$"))
    page.locator("#c-defender_cl-more").click()
    expect(headline.locator("strong.column")).to_have_text(re.compile("3/1$"))
    page.locator("#m-formation").check()
    expect(headline).to_contain_text("die +1")
    # Rows 2 to 7 are hit with one chance in six each, row 1 and row 8+ never.
    expect(page.locator(".printed tr.possible")).to_have_count(6)
    expect(page.locator(".printed tr.possible").first).to_contain_text("16.7 %")
    expect(page.locator("#hints")).to_contain_text("one more column")
    page.locator(".chance-value").first.click()
    expect(page.locator(".chance-value").first).to_have_text(re.compile(r"^\d+(/\d+)?$"))


def test_dice_rolled_on_the_table_are_tapped_and_the_cell_lights_up(window: Window) -> None:
    """3/1, die 5 + 1: row 6 gives 1/2; the defender trades two steps for two hexes."""
    fight = {**WEISSENBERG, "defender_cl": 1, "formation_complete": True}
    page = window.open(stated(**fight))
    page.locator("#question [data-die='5']").click()
    expect(page.locator("td.hit")).to_have_text(re.compile("1/2"))
    lead_to_the_end(page)
    expect(page.locator(".steps")).to_contain_text("8.3")


@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "fall"), ("reduce", "none")])
def test_the_roll_is_a_moment(
    window: Window, motion: Literal["no-preference", "reduce"], animation: str
) -> None:
    """The die falls beside the cell that it hits, or lies still; then only the row is lit."""
    window.page.clock.install(time=0)
    page = window.open(stated(**WEISSENBERG))
    page.emulate_media(reduced_motion=motion)
    page.clock.pause_at(60)  # the page's time stands still: the die stays as long as we look
    page.locator("#question [data-die='3']").click()
    falling = page.locator(".falling")
    expect(falling).to_be_visible()
    assert falling.evaluate("(one) => getComputedStyle(one).animationName") == animation
    page.wait_for_timeout(600)
    die, cell = falling.bounding_box(), page.locator("td.hit").bounding_box()
    assert die is not None
    assert cell is not None
    assert abs(die["y"] + die["height"] / 2 - cell["y"] - cell["height"] / 2) < 3
    assert abs(die["x"] - cell["x"] - cell["width"]) < 3
    page.clock.run_for(2000)
    expect(falling).to_have_count(0)


def test_a_typed_die_is_corrected_until_the_fight_is_left(window: Window) -> None:
    page = window.open(stated(**WEISSENBERG))
    page.locator("#question [data-die='6']").click()
    expect(page.locator("td.hit")).to_have_text(re.compile("1/3"))
    page.locator("#question button").first.click()
    expect(page.locator("#question .asked")).to_contain_text("question 2")
    correct = page.locator("#roll-0")
    expect(correct).to_contain_text("typed in")
    correct.locator("summary").click()
    correct.locator("[data-die='1']").click()
    expect(page.locator("td.hit")).to_have_text(re.compile("1/1"))
    page.get_by_role("button", name="Same fight again").click()
    page.locator("#roll").click()
    expect(page.locator(".rolls")).to_contain_text("rolled here")
    expect(page.locator("#roll-0")).to_have_count(0)


def test_the_address_holds_the_fight_and_how_far_it_is_resolved(window: Window) -> None:
    page = window.open(stated(**WEISSENBERG))
    page.locator("#question [data-die='6']").click()
    expect(page.locator("td.hit")).to_be_visible()
    text, address = page.locator(".resolution").inner_text(), page.url
    assert len(address) < 200
    other = page.context.new_page()
    other.goto(address)
    assert other.locator(".resolution").inner_text() == text


def test_what_can_t_apply_says_why_and_steps_are_read_as_at_least(window: Window) -> None:
    page = window.open("/games/white-october/attack")
    page.set_viewport_size({"width": 1280, "height": 900})
    scroll = page.locator(".answer .table-scroll")
    assert scroll.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0, "all columns fit"
    page.locator(".outcomes [data-view=cumulated]").first.click()
    expect(page.locator(".outcomes .at-least dt:visible").first).to_contain_text("≥ ")
    expect(page.locator(".outcomes .exactly").first).to_be_hidden()
    row = page.locator(".modifier.closed", has_text="Cavalry Q5+")
    expect(row).to_contain_text("needs: Combat in clear terrain")


def test_a_bad_set_up_is_answered_in_words(window: Window) -> None:
    page = window.open("/games/bautzen/attack?start=empty")
    page.locator("#palette-attackers button.counter").first.click()
    expect(page.locator(".answer .missing")).to_have_text("Still to be named: Defender")
    page.locator("#palette-attackers button[data-name='59/20Pz']").click()
    page.locator("#palette-defenders button[data-name='CL A1']").click()
    page.locator("#palette-defenders button[data-name='QG 294 RD']").click()
    page.locator("#c-allied").select_option("attacker")
    expect(page.locator(".refusal")).to_have_count(0)
    page.locator("#c-defender_air-more").click()
    expect(page.locator(".refusal")).to_contain_text("only the Allied side")


@pytest.mark.parametrize("window", [Screen(lang="fr")], indirect=True)
def test_a_french_browser_gets_a_french_page_and_may_switch(window: Window) -> None:
    page = window.open(stated(**WEISSENBERG))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#list-attackers")).to_contain_text("Attaquant")
    expect(page.locator(".printed tr.possible").first).to_contain_text("16,7 %")
    page.get_by_role("link", name="EN", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".headline")).to_contain_text("26")


def test_a_page_that_is_opened_in_a_language_stays_in_it(window: Window) -> None:
    """A French address in an English browser: taps are answered in French too."""
    page = window.open(stated(**WEISSENBERG) + "&lang=fr")
    expect(page.locator("#hints")).to_contain_text("une colonne de plus")
    page.locator("#c-defender_cl-more").click()
    expect(page.locator(".headline strong.column")).to_have_text(re.compile("3/1$"))
    expect(page.locator("#list-attackers")).to_contain_text("Attaquant")


@pytest.mark.parametrize("window", [Screen(width=390)], indirect=True)
def test_on_a_phone_nothing_is_cut_off_and_targets_are_large(window: Window) -> None:
    page = window.open(stated(**WEISSENBERG))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    bar = page.locator(".phone-bar")
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("4/1")
    small = page.evaluate(
        """() => [...document.querySelectorAll(
            '.question button, .stepper button, .counter, .edit, .modifier .box, summary')]
            .filter((one) => one.offsetParent)
            .map((one) => one.getBoundingClientRect())
            .filter((box) => box.height < 43.5 || box.width < 43.5).length"""
    )
    assert small == 0
    page.locator("#roll").click()
    expect(page.locator("td.hit")).to_be_visible()
    lead_to_the_end(page)


@pytest.mark.parametrize("window", [Screen(width=390)], indirect=True)
@pytest.mark.parametrize("procedure", ["normandy/attack", "white-october/attack"])
def test_a_wide_table_scrolls_by_itself_also_after_the_roll(window: Window, procedure: str) -> None:
    """With eleven columns in question the one in the middle, which is the likeliest, is in view."""
    page = window.open(f"/games/{procedure}")
    place = 5 if "october" in procedure else 0
    in_view(page.locator("th.in-question").nth(place))
    chances = page.locator("tbody td.chance, thead td.chance:has(span)")
    chance = chances.nth(place)
    in_view(chance)
    expect(chance).to_be_in_viewport(ratio=0.9)
    page.locator("#roll").click()
    expect(page.locator("td.hit").first).to_be_attached()
    in_view(page.locator("td.hit").first)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def in_view(cell: Locator) -> None:
    """A cell of a table can be seen whole, between the names of the rows and the chances."""
    assert cell.evaluate(
        """(cell) => {
            const place = (one) => one.getBoundingClientRect();
            const scroll = cell.closest(".table-scroll");
            const chance = cell.matches(".chance") ? null : scroll.querySelector("tbody td.chance");
            const right = chance ? place(chance).left : place(scroll).right;
            const left = place(scroll.querySelector("tbody th")).right;
            return left - 2 <= place(cell).left && place(cell).right <= right + 2;
        }"""
    )


def test_a_fight_is_set_up_and_resolved_with_the_keyboard_alone(window: Window) -> None:
    page = window.open("/games/bautzen/attack?start=empty")
    for list_ in ("attackers", "defenders"):
        reach(page, f"#palette-{list_} button.counter")
        page.keyboard.press("ArrowRight")  # a tray is one stop of the Tab key
        page.keyboard.press("Enter")
        expect(page.locator(f"#unit-{list_}-0")).to_be_visible()
    expect(page.locator("#unit-attackers-0")).to_contain_text("59/20Pz")
    reach(page, "#m-concentric")
    page.keyboard.press("Space")
    expect(page.locator(".modifier.counts", has_text="Concentric attack")).to_be_visible()
    reach(page, "#question [data-roll]")
    page.keyboard.press("Enter")
    expect(page.locator("td.hit")).to_be_visible()
    for _ in range(20):
        if page.locator(".end").count():
            return
        before = page.locator(".resolution").inner_text()
        reach(page, "#question :is([data-answer], [data-commit]):not([hidden])")
        page.keyboard.press("Enter")
        expect(page.locator(".resolution")).not_to_have_text(before, use_inner_text=True)
    raise AssertionError("the fight does not end")


def reach(page: Page, selector: str) -> None:
    """Press Tab until the focus is on something; never the mouse."""
    for _ in range(80):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached with the Tab key")


DECISION = {
    "attackers": [
        {"name": "21/20Pz", "attack": 14, "steps": 2},
        {"name": "59/20Pz", "attack": 1, "steps": 2},
    ],
    "defenders": [{"name": "861/294", "defence": 4, "steps": 2}],
    "defender_cl_at_hand": 1,
}


def test_answers_are_cards_with_figures_and_groups_are_toggled(window: Window) -> None:
    """Columns in secret, a trade of steps for hexes, and who advances; advice can be hidden."""
    page = window.open(f"/games/bautzen/attack?s={quote(json.dumps({'fight': DECISION}))}")
    expect(page.locator(".places")).to_contain_text("3/1 as it stands")
    expect(page.locator(".places")).to_contain_text("the odds assume")
    secret = page.locator("#question .card")
    expect(secret.nth(1)).to_contain_text("Commit 1 CL (−1 column)")
    expect(secret.nth(1)).to_contain_text("hex held")
    secret.nth(0).click()  # nothing: 3/1
    expect(page.locator(".places")).to_have_count(0)
    page.locator("#question [data-die='4']").click()  # 1/2
    expect(page.locator(".outcomes h3")).to_contain_text("after the dice so far")
    page.locator("#question .card", has_text="21/20Pz").click()
    trade = page.locator("#question .card")
    expect(trade).to_have_count(3)
    expect(trade.nth(0)).to_contain_text("Hold and lose 2 steps")
    expect(trade.nth(2)).to_contain_text("Retreat 2 hexes")
    expect(trade.nth(2).locator(".best-mark")).to_be_visible()
    page.get_by_role("button", name="Hide advice").click()
    expect(trade.nth(2).locator(".figures")).to_be_hidden()
    page.reload()  # remembered
    expect(page.locator("#question .figures").first).to_be_hidden()
    page.get_by_role("button", name="Show advice").click()
    page.locator("#question .card").nth(2).click()
    confirm = page.locator("#question .confirm")
    expect(confirm).to_contain_text("Nobody advances")
    page.get_by_role("button", name="59/20Pz", exact=True).click()
    expect(confirm).to_contain_text("59/20Pz advances")
    expect(confirm).to_contain_text("hex taken 100 %")
    confirm.click()
    expect(page.locator(".end")).to_contain_text("a 1-in-2 result")
    expect(page.locator(".end")).to_be_in_viewport(ratio=1)
    expect(page.locator(".end")).to_contain_text("hex taken: the attacker had 50.0 %")
