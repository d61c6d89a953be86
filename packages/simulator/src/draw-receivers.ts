// Draws the receivers of a simulation. Most succeed most of the time; some fail, refuse, or have troubles all the time.
// A share of all seeds has storms of refusals, drawn from a separate random source.

import { createSeededRandom, type ScriptedReply } from "@postrider/memory";
import { type Dice, createDice } from "./dice.js";
import type { ReceiverBehaviour, SimulatedReceiver, SimulationOptions, ReceiverSpell } from "./simulation.js";

interface FaultSpan {
  readonly spanMs: number;
  /** True if some receivers never recover; only if windows are short. */
  readonly hasLastingFailures: boolean;
}

export function drawReceivers(dice: Dice, span: FaultSpan): SimulationOptions["receivers"] {
  const draw = (): readonly SimulatedReceiver[] =>
    Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => drawReceiver(dice, span));
  return { a: draw(), b: draw(), c: draw() };
}

function drawReceiver(dice: Dice, span: FaultSpan): SimulatedReceiver {
  const usually: ReceiverBehaviour =
    span.hasLastingFailures && dice.percent(60) ? drawLastingFailure(dice) : drawSuccess(dice);
  const spells = Array.from({ length: dice.whole(0, 2) }, () => drawSpell(dice, span));
  return { usually, spells, spreadMs: dice.pick([0, 0, 0, 0, 40, 700]) };
}

/** The percentage of simulations with receivers that have troubles all the time. */
const TROUBLED_PERCENT = 20;

/**
 * Gives troubles to most receivers, in `TROUBLED_PERCENT` of all simulations. Draws from a separate random source, so
 * that the troubles do not change the other values that a seed draws.
 */
export function addReceiverTroubles(
  receivers: SimulationOptions["receivers"],
  seed: number,
): SimulationOptions["receivers"] {
  const dice = createDice(createSeededRandom(~seed));
  if (!dice.percent(TROUBLED_PERCENT)) return receivers;
  const entries = Object.entries(receivers).map(([id, entry]) => [
    id,
    [entry].flat().map((receiver) => addTrouble(dice, receiver)),
  ]);
  return Object.fromEntries(entries) as SimulationOptions["receivers"];
}

function addTrouble(dice: Dice, receiver: SimulatedReceiver): SimulatedReceiver {
  if (!dice.percent(70)) return receiver;
  const usually: ReceiverBehaviour = {
    kind: "troubled",
    usually: { kind: "answers", status: 200, afterMs: dice.pick([0, 20, 200, 450]) },
    errors: dice.pick([0, 0.02, 0.2, 0.5]),
    poisoned: dice.pick([0, 0, 0.05, 0.4]),
    bears: dice.pick([2, 8, 1_000, 1_000]),
  };
  return { ...receiver, usually };
}

/** The percentage of simulations in which the address policy of the relay refuses a destination for a time. */
const BLOCKED_PERCENT = 10;

/** Blocks one destination for a time, in `BLOCKED_PERCENT` of all simulations, by a separate random source as above. */
export function addBlockedSpell(
  receivers: SimulationOptions["receivers"],
  seed: number,
  spanMs: number,
): SimulationOptions["receivers"] {
  const dice = createDice(createSeededRandom(seed ^ 0x55555555));
  if (!dice.percent(BLOCKED_PERCENT)) return receivers;
  const fromMs = dice.pick([0, dice.whole(0, spanMs)]);
  const behaviour: ReceiverBehaviour = { kind: "fails", fault: "forbidden-address", afterMs: 0 };
  const spell: ReceiverSpell = { fromMs, untilMs: fromMs + dice.size(4 * spanMs), behaviour };
  const id = dice.pick(Object.keys(receivers));
  const blockedReceivers = [receivers[id] ?? []]
    .flat()
    .map((receiver) => ({ ...receiver, spreadMs: 0, spells: [...(receiver.spells ?? []), spell] }));
  return { ...receivers, [id]: blockedReceivers };
}

function drawSpell(dice: Dice, { spanMs }: FaultSpan): ReceiverSpell {
  const fromMs = dice.whole(0, spanMs);
  const untilMs = fromMs + dice.size(2 * spanMs);
  const behaviour: ReceiverBehaviour = dice.percent(25)
    ? { kind: "mixed", of: [drawSuccess(dice), drawFailure(dice), drawFailure(dice)] }
    : drawFailure(dice);
  return { fromMs, untilMs, behaviour };
}

function drawSuccess(dice: Dice): ScriptedReply {
  return { kind: "answers", status: dice.pick([200, 200, 202, 204]), afterMs: dice.pick([0, 20, 200]) };
}

/** Draws a failure that makes every delivery dead in the end. A `local` fault never does, so it becomes a hang. */
function drawLastingFailure(dice: Dice): ScriptedReply {
  const drawn = drawFailure(dice);
  return drawn.kind === "fails" && drawn.fault === "local" ? { kind: "hangs" } : drawn;
}

function drawFailure(dice: Dice): ScriptedReply {
  const afterMs = dice.pick([0, 15, 300]);
  const retryAfter = String(dice.pick([1, 5, 30, 600]));
  return dice.pick<ScriptedReply>([
    { kind: "answers", status: 503, afterMs },
    { kind: "answers", status: 500, afterMs },
    { kind: "answers", status: dice.pick([429, 503]), afterMs, retryAfter },
    { kind: "answers", status: dice.pick([400, 410, 302, 413, 422]), afterMs },
    { kind: "fails", fault: dice.pick(["connection-refused", "connection-reset", "dns", "local"]), afterMs },
    { kind: "hangs" },
  ]);
}

/** The percentage of simulations with storms. */
const STORMY_PERCENT = 30;

/** The percentage of their receivers that have one. */
const HIT_PERCENT = 50;

/** A deploy or a firewall lasts for 5 seconds to 10 minutes. */
const SHORTEST_MS = 5_000;

const LONGEST_MS = 600_000;

interface StormSpan {
  /** Within this time, each storm begins. */
  readonly spanMs: number;
  /** True if a secret may stay wrong for ever. */
  readonly hasLastingStorms: boolean;
}

export function addStorms(
  receivers: SimulationOptions["receivers"],
  seed: number,
  span: StormSpan,
): SimulationOptions["receivers"] {
  const dice = createDice(createSeededRandom(seed ^ 0x510e527f));
  if (!dice.percent(STORMY_PERCENT)) return receivers;
  const entries = Object.entries(receivers).map(([id, entry]) => [
    id,
    [entry].flat().map((receiver) => (dice.percent(HIT_PERCENT) ? addStorm(dice, receiver, span) : receiver)),
  ]);
  return Object.fromEntries(entries) as SimulationOptions["receivers"];
}

function addStorm(dice: Dice, receiver: SimulatedReceiver, { spanMs, hasLastingStorms }: StormSpan): SimulatedReceiver {
  const fromMs = dice.whole(0, spanMs);
  const untilMs = fromMs + SHORTEST_MS * dice.size(LONGEST_MS / SHORTEST_MS);
  const afterMs = dice.pick([0, 20, 200]);
  switch (dice.pick(["deploy", "deploy", "secret", "firewall"] as const)) {
    case "deploy":
      return withSpell(receiver, { fromMs, untilMs, behaviour: answer(dice.pick([404, 401, 302, 503]), afterMs) });
    case "secret": {
      const isLasting = dice.percent(50) && hasLastingStorms;
      if (isLasting) return forEver(receiver, fromMs, answer(401, afterMs));
      return withSpell(receiver, { fromMs, untilMs: fromMs + 4 * spanMs, behaviour: answer(401, afterMs) });
    }
    case "firewall": {
      const of = [answer(403, 0), answer(200, afterMs), answer(200, afterMs)];
      return withSpell(receiver, { fromMs, untilMs, behaviour: { kind: "mixed", of } });
    }
  }
}

function answer(status: number, afterMs: number): ScriptedReply {
  return { kind: "answers", status, afterMs };
}

function withSpell(receiver: SimulatedReceiver, spell: ReceiverSpell): SimulatedReceiver {
  return { ...receiver, spells: [...(receiver.spells ?? []), spell] };
}

/** A receiver that does something else from an instant on. Its spells stay. */
function forEver(receiver: SimulatedReceiver, fromMs: number, behaviour: ReceiverBehaviour): SimulatedReceiver {
  const earlierBehaviour: ReceiverBehaviour = receiver.usually ?? answer(200, 20);
  const firstSpell: ReceiverSpell = { fromMs: 0, untilMs: fromMs, behaviour: earlierBehaviour };
  return { ...receiver, usually: behaviour, spells: [firstSpell, ...(receiver.spells ?? [])] };
}
