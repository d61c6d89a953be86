// Draws the receivers of a simulation: most are sound most of the time, some fail for a while, slow down, refuse, ask to
// be left alone, or never come back.

import type { ScriptedReply } from "@postrider/memory";
import type { Dice } from "./dice.js";
import type { Behaviour, Receiver, SimulationOptions, Spell } from "./simulation.js";

export interface Storm {
  readonly stormMs: number;
  /** Some receivers never come back: for windows that are over soon. */
  readonly isHarsh: boolean;
}

export function drawReceivers(dice: Dice, storm: Storm): SimulationOptions["receivers"] {
  const draw = (): readonly Receiver[] =>
    Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => drawReceiver(dice, storm));
  return { a: draw(), b: draw(), c: draw() };
}

function drawReceiver(dice: Dice, storm: Storm): Receiver {
  const usually: Behaviour = storm.isHarsh && dice.percent(60) ? drawLasting(dice) : sound(dice);
  const spells = Array.from({ length: dice.whole(0, 2) }, () => drawSpell(dice, storm));
  return { usually, spells, spreadMs: dice.pick([0, 0, 0, 0, 40, 700]) };
}

function drawSpell(dice: Dice, { stormMs }: Storm): Spell {
  const fromMs = dice.whole(0, stormMs);
  const untilMs = fromMs + dice.size(2 * stormMs);
  const behaviour: Behaviour = dice.percent(25)
    ? { kind: "mixed", of: [sound(dice), drawFailure(dice), drawFailure(dice)] }
    : drawFailure(dice);
  return { fromMs, untilMs, behaviour };
}

function sound(dice: Dice): ScriptedReply {
  return { kind: "answers", status: dice.pick([200, 200, 202, 204]), afterMs: dice.pick([0, 20, 200]) };
}

/** One that ends every delivery sooner or later, which faults of our own do not. */
function drawLasting(dice: Dice): ScriptedReply {
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
    { kind: "answers", status: dice.pick([400, 410, 302]), afterMs },
    { kind: "fails", fault: dice.pick(["connection-refused", "connection-reset", "dns", "local"]), afterMs },
    { kind: "hangs" },
  ]);
}
