// Fields that hold a link, with a button that copies it.
import { say } from "./request.js";

export async function copy(field, copied) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say(copied);
  } catch {
    document.execCommand("copy"); // where the page has no right to the clipboard, what is selected
  }
}
