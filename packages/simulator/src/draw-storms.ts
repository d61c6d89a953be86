// Draws, for a share of all seeds, storms of refusals: a deploy that answers everything alike, a secret that one side has changed,
// and a firewall that refuses one request in three by chance. Has a separate random source, so that the other values of a seed stay.

import { createSeededRandom, type ScriptedReply } from "@postrider/memory";
import { createDice, type Dice } from "./dice.js";
import type { ReceiverBehaviour, ReceiverSpell, SimulatedReceiver, SimulationOptions } from "./simulation.js";

/** The percentage of simulations with storms, and of their receivers that have one. */
const STORMY_PERCENT = 30;
const HIT_PERCENT = 50;
/** A deploy or a firewall lasts for 5 seconds to 10 minutes. */
const SHORTEST_MS = 5_000;
const LONGEST_MS = 600_000;

export interface StormSpan {
  /** Within this time, each storm begins. */
  readonly spanMs: number;
  /** Whether some secrets stay wrong. */
  readonly hasLastingStorms: boolean;
}

export function addStorms(
  receivers: SimulationOptions["receivers"],
  seed: number,
  span: StormSpan,
): SimulationOptions["receivers"] {
  const dice = createDice(createSeededRandom(seed ^ 0x510e527f));
  if (!dice.percent(STORMY_PERCENT)) return receivers;
  const entries = Object.entries(receivers).map(([id, some]) => [
    id,
    [some].flat().map((one) => (dice.percent(HIT_PERCENT) ? addStorm(dice, one, span) : one)),
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
function forEver(receiver: SimulatedReceiver, fromMs: number, then: ReceiverBehaviour): SimulatedReceiver {
  const before: ReceiverBehaviour = receiver.usually ?? answer(200, 20);
  const first: ReceiverSpell = { fromMs: 0, untilMs: fromMs, behaviour: before };
  return { ...receiver, usually: then, spells: [first, ...(receiver.spells ?? [])] };
}
