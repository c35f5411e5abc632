// The front page: begin a match, and see the column of each sample fight.
import { offerMatches } from "./begin_match.js";
import { keepColumnInView } from "./fight_panel.js";

const root = document.querySelector("#front");
offerMatches(root);
keepColumnInView(root);
