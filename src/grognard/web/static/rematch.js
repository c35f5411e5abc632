// The button that begins a match again with sides changed.
import { offerMatches } from "./begin_match.js";

offerMatches(document.querySelector(".story"));
