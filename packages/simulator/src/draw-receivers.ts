// Draws the receivers of a simulation. Most succeed most of the time; some fail for a time, refuse, send Retry-After or
// never recover. Others have troubles all the time: random errors, messages that they never accept, or a low bound of
// open requests.

import { createSeededRandom, type ScriptedReply } from "@postrider/memory";
import { type Dice, createDice } from "./dice.js";
import type { ReceiverBehaviour, SimulatedReceiver, SimulationOptions, ReceiverSpell } from "./simulation.js";

export interface FaultSpan {
  readonly spanMs: number;
  /** Whether some receivers never recover; true only if windows are short. */
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
  const entries = Object.entries(receivers).map(([id, some]) => [
    id,
    [some].flat().map((one) => addTrouble(dice, one)),
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
  const blocked = [receivers[id] ?? []]
    .flat()
    .map((one) => ({ ...one, spreadMs: 0, spells: [...(one.spells ?? []), spell] }));
  return { ...receivers, [id]: blocked };
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
