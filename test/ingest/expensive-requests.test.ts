// The cost of requests within the limits, in counts: for any request, the work between two returns to the event loop stays
// within named bounds, and the total work is a small multiple of the size of the request. test/load sends the same requests
// to the real server.

import {
  type DeliveryStore,
  type Destination,
  type DestinationId,
  MAX_BATCH_CALLS,
  MAX_CALL_BYTES,
  type SourceId,
} from "@postrider/core";
import { MAX_TEXT_DEPTH } from "@postrider/core/engine";
import { type Answer, createIngest, MAX_REQUEST_BYTES } from "@postrider/http/ingest";
import type { ManualClock } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PARSE_STEP_LENGTH } from "../../packages/relay/src/settings/limits.js";
import { MAX_REJECTED_ENTRY_BYTES } from "../../packages/http/src/ingest/limits.js";
import { SLICE_BYTES, SLICE_CALLS, SLICE_UNITS } from "../../packages/relay/src/limits.js";
import { WRITE_KEY } from "../canary.js";
import { createMemoryPorts } from "../memory-ports.js";
import { isAsExpected, SHAPE_NAMES } from "../load/expensive/bodies.js";
import {
  type Caps,
  type ExpensiveRequest,
  MAX_ANSWER_BYTES,
  plans,
  type Reach,
  REACHES,
  requestOf,
  wholePlan,
} from "../load/expensive/requests.js";
import "../property.js";
import { LONG_STRING, watchWork, type Work, type WorkName, type WorkWatch } from "./count-work.js";
import { request } from "../http/request.js";
import { destination, source, workspace } from "./world.js";
import { textOf } from "../http/request.js";

/** For each shape: the complete request for each number of destinations, and some random ones. */
const RUNS_OF_A_SHAPE = Object.keys(REACHES).length + 2;
/** The limits of a request here: enough for more than one slice of each kind. */
const CAPS: Caps = { units: 10_000, bodyBytes: 4_000_000, freshUnits: 10_000, freshBytes: 4_000_000 };

/** The bytes that a message has in addition to its call: names of fields, ids and instants. */
const FRAME_BYTES = 512;
/** A number of four characters, 1e20, is written with 21 characters. */
const NUMBER_GROWTH = 5;
/** The content of a call is read once to check it, and once more to write it. */
const LOOKS = 2;
/** A value that is parsed in steps is read once more when its parts are joined. */
const PUT_TOGETHER = 1;
/** The additional text around each part that is parsed, and for each open level. */
const BRACKETS = 2 * MAX_TEXT_DEPTH;
const PARSED_RUNS = Math.ceil(MAX_REQUEST_BYTES / PARSE_STEP_LENGTH);
/** A slice may end with a call that exceeds its bound, and may read one more call for the next slice. */
const BEYOND = 2;

const REACHED = Object.keys(REACHES) as readonly Reach[];
let watch: WorkWatch | undefined;
const WORKSPACE = workspace({
  sources: REACHED.map((reach) => source(reach, keyOf(reach))),
  destinations: REACHED.flatMap((reach) => Array.from({ length: REACHES[reach] }, (_, index) => counted(reach, index))),
});

describe("a request that is built to be expensive", () => {
  it.each(SHAPE_NAMES)("is handled within the bounds and answered correctly: %s", async (shape) => {
    await fc.assert(
      fc.asyncProperty(plans([shape]), async (plan) => {
        const request = requestOf(plan, "fresh", { caps: CAPS, keyOf });
        const { turns, answer } = await play(request);
        const body = textOf(answer);
        expect(isAsExpected(request.expected, { ...answer, body }), body.slice(0, 200)).toBe(true);
        expect(body.length).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
        expect(beyond(most(turns), mostInATurn(REACHES[plan.reach]))).toEqual([]);
        expect(beyond(sum(turns), mostInAll(sum(turns)))).toEqual([]);
      }),
      { numRuns: RUNS_OF_A_SHAPE, examples: REACHED.map((reach) => [wholePlan(shape, reach)]) },
    );
  });
});

type Bounds = Partial<Work>;

/** Between two returns to the event loop. All destinations of one call are routed to at once. */
function mostInATurn(destinations: number): Bounds {
  return {
    parsed: PARSE_STEP_LENGTH + BEYOND * LONG_STRING + BRACKETS,
    encoded: SLICE_BYTES + BEYOND * (MAX_CALL_BYTES + FRAME_BYTES),
    calls: SLICE_CALLS,
    destinations: SLICE_UNITS + destinations,
    deliveries: Math.max(SLICE_UNITS, destinations),
  };
}

/** Does not depend on how many calls share the fields: routing looks up a name for each destination. */
function mostInAll({ destinations }: Work): Bounds {
  const answer = MAX_REJECTED_ENTRY_BYTES + MAX_ANSWER_BYTES;
  const own = LOOKS * NUMBER_GROWTH * MAX_REQUEST_BYTES;
  return {
    parsed: MAX_REQUEST_BYTES + PARSED_RUNS * BRACKETS,
    measured: own,
    written: own + MAX_BATCH_CALLS * FRAME_BYTES + answer,
    read: (LOOKS + PUT_TOGETHER) * MAX_REQUEST_BYTES + LOOKS * destinations,
    calls: MAX_BATCH_CALLS,
  };
}

function beyond(work: Work, bounds: Bounds): readonly string[] {
  const names = Object.keys(bounds) as WorkName[];
  return names
    .filter((name) => work[name] > (bounds[name] ?? 0))
    .map((name) => `${name}: ${String(work[name])}, at most ${String(bounds[name])}`);
}

function most(turns: readonly Work[]): Work {
  return together(turns, Math.max);
}

function sum(turns: readonly Work[]): Work {
  return together(turns, (one, other) => one + other);
}

function together(turns: readonly Work[], join: (one: number, other: number) => number): Work {
  return turns.reduce((all, turn) => {
    const names = Object.keys(all) as WorkName[];
    return Object.fromEntries(names.map((name) => [name, join(all[name], turn[name])])) as unknown as Work;
  });
}

function keyOf(reach: Reach): string {
  return `${WRITE_KEY}-${String(REACHES[reach])}`;
}

/** A destination that counts each read of its name, as by routing. */
function counted(reach: Reach, index: number): Destination {
  const id = `${reach}-${String(index)}` as DestinationId;
  return {
    ...destination({ id, sources: [{ source: reach as SourceId, mode: "cloud" }] }),
    get name() {
      watch?.add("destinations", 1);
      return `d${String(index)}`;
    },
  };
}

interface Played {
  readonly turns: readonly Work[];
  readonly answer: Answer;
}

/** Sends it through the real ingest and relay, on a new store; nothing is delivered. */
async function play({ path, authorization, bytes }: ExpensiveRequest): Promise<Played> {
  const ports = createMemoryPorts();
  const { clock } = ports;
  const relay = createRelay({ ...ports, store: countedStore(ports.store), workspace: WORKSPACE });
  const ingest = createIngest({ relay, clock, timers: clock });
  const [where = "", query = ""] = path.split("?");
  const headers = authorization === undefined ? {} : { authorization };
  watch = watchWork();
  try {
    const answer = await advanceUntil(ingest(request("POST", where, { bytes, query, headers })), clock);
    return { turns: watch.stop(), answer };
  } finally {
    watch.stop();
    watch = undefined;
  }
}

function countedStore(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const deliveries = changes.accept.reduce((rows, message) => rows + message.deliveries.length, 0);
      watch?.add("deliveries", deliveries);
      return store.commit(changes, now);
    },
  };
}

async function advanceUntil<T>(asked: Promise<T>, { advance }: Pick<ManualClock, "advance">): Promise<T> {
  const state = { isAnswered: false };
  const answered = asked.finally(() => (state.isAnswered = true));
  while (!state.isAnswered) await advance(0);
  return answered;
}
