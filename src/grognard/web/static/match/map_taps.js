// A tap on a hex of the map. Everything that it can do has a button beside the map too.
import { startAim, toggleAttackers } from "./aiming.js";
import { draw } from "./drawing.js";
import { forget, tell } from "./hint.js";
import { all, find, goes, offers, state } from "./page.js";
import { choose, dropChosen, extendWay, letGo, lookAt, triedOrder, tryHex } from "./selection.js";

// Give whether anything came of the tap; `hex` is null beside the map.
export function tapHex(hex) {
  forget();
  if (hex === null) {
    letGo();
    return false;
  }
  const offered = offers()
    .filter((offer) => offer.hexes.includes(hex))
    .map((offer) => offer.button);
  if (offered.length === 1) {
    offered[0].click();
    return true;
  }
  if (state.aim) return tapWhileAiming(hex);
  if (state.chosen?.way) {
    extendWay(hex);
    return true;
  }
  const go = goes().find((button) => button.dataset.hex === hex);
  if (go) {
    go.click();
    return true;
  }
  if (triedOrder(hex) && !piecesIn(hex).length && state.refused !== hex) {
    tryHex(hex);
    return true;
  }
  if (state.chosen?.stays && !piecesIn(hex).length && state.refused !== hex) {
    state.refused = hex;
    tell(state.chosen.stays);
    return true;
  }
  return tapStack(hex, offered);
}

function tapWhileAiming(hex) {
  const { aim } = state;
  if (hex === aim.hex && !find("#aim-go").disabled && find("#aim-problem").hidden) {
    find("#aim-go").click();
    return true;
  }
  const here = new Set(piecesIn(hex).map((one) => one.dataset.unit));
  const units = aim.candidates.filter((unit) => here.has(unit));
  if (units.length) {
    toggleAttackers(aim.several ? units : units.slice(0, 1));
    return true;
  }
  return tapStack(hex, []);
}

function tapStack(hex, offered) {
  const aims = all("#ask [data-aim]").filter((button) => button.dataset.hex === hex);
  if (aims.length === 1 && state.aim?.button !== aims[0]) {
    startAim(aims[0]);
    return true;
  }
  if (aims.length > 1) {
    lookAt(hex);
    find("#aims").open = true;
    pointOut("#ask [data-aim]", aims);
    return true;
  }
  pointOut("#ask [data-answer]", offered);
  const pieces = piecesIn(hex);
  if (!pieces.length) {
    letGo();
    return false;
  }
  lookAt(hex);
  const tried = triedOrder(hex);
  const acting = pieces.filter((one) => one.classList.contains("acts"));
  if (pieces.length === 1 || acting.length === 1) choose((acting[0] ?? pieces[0]).dataset.unit, tried);
  else {
    if (tried) tryHex(hex);
    dropChosen();
    draw();
  }
  return true;
}

function piecesIn(hex) {
  return all(".piece").filter((one) => one.dataset.hex === hex);
}

// Mark the buttons that a tap may mean, and go to the first.
function pointOut(selector, meant) {
  for (const one of all(selector)) one.classList.toggle("meant", meant.includes(one));
  meant[0]?.focus();
}
