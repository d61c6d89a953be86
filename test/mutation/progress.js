// Tells how far a run is: how many mutants have their verdict, how many of them no test has noticed, and about how long the
// rest takes. Pure.

import { leftOf, verdictsOf } from "./verdicts.js";

/** To load a test file anew takes about this long, beside its tests. */
const LOADING_MS = 200;

const MINUTE_MS = 60_000;

/**
 * @typedef {object} Share - what one process plays
 * @property {readonly { readonly id: string }[]} mutants
 * @property {readonly import("./plan.js").Stage[]} stages
 * @property {readonly import("./verdicts.js").Entry[]} entries - of its journal
 * @typedef {object} Progress
 * @property {number} all
 * @property {number} judged
 * @property {number} survived - of those that are judged; includes what was not reached
 * @property {number} [leftMs] - about; absent while nothing was played
 */

/** @param {readonly Share[]} shares @param {number} elapsedMs - since the first play began @returns {Progress} */
export function progressOf(shares, elapsedMs) {
  const each = shares.map((share) => progressOfShare(share, elapsedMs));
  const sum = (name) => each.reduce((total, one) => total + one[name], 0);
  const leftMs = Math.max(...each.map((one) => one.leftMs));
  const counts = { all: sum("all"), judged: sum("judged"), survived: sum("survived") };
  return Number.isFinite(leftMs) ? { ...counts, leftMs } : counts;
}

/** @param {string} name - of the package @param {Progress} progress */
export function writeProgress(name, { all, judged, survived, leftMs }) {
  const counts = `${name}: ${String(judged)} of ${String(all)} judged, ${String(survived)} survived`;
  return leftMs === undefined ? counts : `${counts}, about ${String(Math.ceil(leftMs / MINUTE_MS))} min left`;
}

function progressOfShare({ mutants, stages, entries }, elapsedMs) {
  const left = stages.flatMap((stage) => leftOf(stage, entries)).flatMap(({ plays }) => plays);
  const waiting = new Set(left.map(({ id }) => id));
  const judged = mutants.filter(({ id }) => !waiting.has(id));
  const kinds = [...verdictsOf(judged, entries).values()].map(({ kind }) => kind);
  const survived = kinds.filter((kind) => kind === "survived" || kind === "not reached").length;
  const played = playedOf(stages, entries);
  const leftCost = expectedCost(left, 1 - entries.filter(({ isNoticed }) => isNoticed === true).length / played.length);
  const playedCost = played.reduce((sum, play) => sum + costOf(play), 0);
  const leftMs = left.length === 0 ? 0 : (elapsedMs * leftCost) / playedCost;
  return { all: mutants.length, judged: judged.length, survived, leftMs };
}

function playedOf(stages, entries) {
  const played = new Set(entries.flatMap(({ path, id, verdict }) => (verdict === undefined ? [] : [`${path} ${id}`])));
  return stages.flat().flatMap(({ path, plays }) => plays.filter(({ id }) => played.has(`${path} ${id}`)));
}

/** A mutant is played on only if it is not noticed: as often, it is assumed, as in the plays until now. */
function expectedCost(plays, survivalRate) {
  const chances = new Map();
  return plays.reduce((sum, play) => {
    const chance = chances.get(play.id) ?? 1;
    chances.set(play.id, chance * survivalRate);
    return sum + chance * costOf(play);
  }, 0);
}

function costOf({ ms }) {
  return ms + LOADING_MS;
}
