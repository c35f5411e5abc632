// Begin a match apart, and show its links, which the server tells only once.
import { copy } from "./copying.js";
import { ask, say } from "./request.js";

export async function beginApart(body, sides) {
  const dialog = document.querySelector("#apart-links");
  const words = dialog.querySelector("[data-watch]").dataset;
  try {
    const { links } = await ask("/api/matches", body);
    const list = dialog.querySelector(".links");
    list.replaceChildren(
      ...Object.entries(links).map(([seat, path]) => {
        const row = dialog.querySelector("template").content.cloneNode(true);
        const about = seat in sides ? words.side.replace("{side}", sides[seat]) : words.watch;
        row.querySelector("li").dataset.seat = seat;
        row.querySelector(".about").textContent = about;
        row.querySelector("input").value = new URL(path, location.href).href;
        row.querySelector("a").href = path;
        return row;
      }),
    );
    list.onclick = ({ target }) => {
      const button = target.closest("[data-copy]");
      if (button) copy(button.closest("li").querySelector("input"), words.copied);
    };
    dialog.showModal();
  } catch (error) {
    say(error.message);
  }
}
