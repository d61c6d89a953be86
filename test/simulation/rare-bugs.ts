// Planted bugs that the first seeds do not show, each with a simulation that shows it. Without its bug, each simulation keeps
// every promise.

import type { CheckName, ReceiverSpell, SimulatedReceiver, SimulationOptions } from "@postrider/simulator";
import type { PlantedBug } from "./planted-bugs.js";

export interface RareBug extends PlantedBug {
  readonly options: SimulationOptions;
  /** The only promises that it breaks. */
  readonly breaks: readonly CheckName[];
}

/** One token in ten seconds: what is lost of it shows within minutes. */
const SLOW_LIMIT = { crm: { perSecond: 0.1, burst: 5 } };

export const RARE_BUGS: readonly RareBug[] = [
  {
    name: "sent before the pauses are read",
    what: "A process that starts serves all lanes until it has read which of them an operator has paused.",
    edits: [{ file: "relay/dist/settings-in-force.js", from: "!isKnown || paused.has(lane)", to: "paused.has(lane)" }],
    // The store is slow while each further process asks for the pauses for the first time, and calls go on.
    options: {
      seed: 2,
      receivers: { crm: {} },
      operatorPauses: [{ destination: "crm", fromMs: 1_000, untilMs: 50_000 }],
      faults: [
        ...[20_000, 25_000, 30_000, 35_000].map((atMs) => ({ kind: "crash", atMs, downMs: 0 }) as const),
        { kind: "store", ails: "slow", fromMs: 19_900, untilMs: 40_000 },
      ],
      load: { calls: 3_000, overMs: 60_000 },
    },
    breaks: ["open-lane"],
  },
  {
    name: "a duplicate spends a token",
    what: "A call that is repeated costs a token of the rate limit, although nothing is sent for it.",
    edits: [
      {
        file: "relay/dist/intake/reserve.js",
        from: "import { refundSlot }",
        to: "import { releaseSlot as refundSlot }",
      },
    ],
    // A call each 12 s, each of them sent twice: the limit allows for one of both, not for both.
    options: {
      receivers: { crm: {} },
      rateLimits: SLOW_LIMIT,
      load: { calls: 40, overMs: 480_000, repeated: 1 },
    },
    breaks: ["prompt"],
  },
  {
    name: "an idle lane forgets its tokens",
    what: "A lane without deliveries is removed from memory, and has its whole burst again with its next delivery.",
    edits: [
      {
        file: "relay/dist/lanes/lanes.js",
        from: " && settings.destination(lane.lane) === undefined)",
        to: ")",
      },
    ],
    // Five calls each 37.5 s, of which polls each 10 s see the time between.
    options: {
      receivers: { crm: {} },
      rateLimits: SLOW_LIMIT,
      policy: { retryWindowMs: 400_000, maxRetryMs: 60_000 },
      load: { calls: 40, overMs: 300_000, perArrival: 5 },
    },
    breaks: ["rate-limit"],
  },
  {
    name: "a storm taken for a verdict",
    what: "A second refusal is for good if another message succeeded before it, although all are refused by now.",
    edits: [
      {
        file: "core/dist/round/settle-round.js",
        from: "isConfirmed = confirming.includes(endpoint) && ",
        to: "isConfirmed = confirming.includes(endpoint); ",
      },
    ],
    // A firewall refuses one request in three, and then the receiver refuses them all: retries come in the storm.
    options: {
      receivers: { crm: { spells: [spell(0, 60_000, [403, 200, 200]), spell(60_000, 3_600_000, [401])] } },
      load: { calls: 600, overMs: 70_000 },
    },
    breaks: ["refused-for-good"],
  },
  {
    name: "one page of lanes",
    what: "A poll reads the first 500 lanes alone: what another process has stored in the others is not seen.",
    edits: [
      {
        file: "relay/dist/maintenance/poller.js",
        from: "more = answer.value.more && answer.value.lanes.length > 0;",
        to: "more = false;",
      },
    ],
    options: manyLanes(),
    breaks: ["prompt"],
  },
];

/** A stretch in which each request gets one of these statuses by chance. */
function spell(fromMs: number, untilMs: number, statuses: readonly number[]): ReceiverSpell {
  const of = statuses.map((status) => ({ kind: "answers", status }) as const);
  return { fromMs, untilMs, behaviour: { kind: "mixed", of } };
}

/**
 * A call for 520 lanes is stored and tried, then its process crashes. The first 500 receivers never recover, so their lanes
 * stay on the first page for longer than a delivery may be late after the crash. The others soon recover.
 */
function manyLanes(): SimulationOptions {
  const fails = { kind: "answers", status: 503 } as const;
  const receiver = (index: number): SimulatedReceiver =>
    index < 500 ? { usually: fails } : { spells: [{ fromMs: 0, untilMs: 3_000, behaviour: fails }] };
  const lanes = Array.from({ length: 520 }, (_, index) => [`lane-${String(index).padStart(3, "0")}`, receiver(index)]);
  return {
    receivers: Object.fromEntries(lanes) as SimulationOptions["receivers"],
    policy: { retryWindowMs: 60_000, firstRetryMs: 8_000, maxRetryMs: 20_000, timeoutMs: 500, leaseMs: 5_500 },
    load: { calls: 1, overMs: 1 },
    faults: [{ kind: "crash", atMs: 5_000, downMs: 1_000 }],
  };
}
