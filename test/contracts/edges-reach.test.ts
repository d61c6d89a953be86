// A check of the suite: it gives a store every member of every closed list of the port, and every published limit at its edge.
// So a new limit of core, or a new member of a list, without a case fails here.

import * as limits from "../../packages/core/src/limits.js";
import { createManualClock } from "@postrider/memory";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { beforeAll, describe, expect, it } from "vitest";
import { overOneDisk } from "./broken/storage.js";
import { membersByPlace } from "./port-types.js";
import { type Noted, watching } from "./watched-store.js";

/** The place at which a store is given each limit that concerns it. */
const PLACES: Readonly<Record<string, string>> = {
  MAX_MESSAGE_ID_LENGTH: "commit(0).accept[].messageId",
  MAX_CALL_BYTES: "commit(0).accept[].body",
  MAX_BATCH_CALLS: "commit(0).settle",
  MAX_URL_LENGTH: "commit(0).settle[].endpoints[].endpoint",
  MAX_ENDPOINTS_PER_DESTINATION: "commit(0).settle[].endpoints",
  MAX_EXCERPT_BYTES: "commit(0).settle[].endpoints[].excerpt",
  MAX_CLAIMED_LANES: "claim(0).lanes",
  MAX_CLAIMED_DELIVERIES: "claim(0).lanes[].limit",
  MAX_MESSAGE_USERS: "commit(0).accept[].userIds",
  MAX_DELETION_USERS: "deletions.open(0).userIds",
  MAX_USER_ID_LENGTH: "deletions.open(0).userIds[]",
  MAX_RECORD_BYTES: "records.put(0).text",
  MAX_BOARD_HOLDS: "board.write(0)[].holds",
};

/** Limits of which a store of deliveries sees nothing that a case could show. A new one is added here only with its reason. */
const ELSEWHERE: readonly (readonly [why: string, names: readonly string[]])[] = [
  ["is tested by the clock: 24 hours, and 1 ms less", ["DEDUPE_WINDOW_MS"]],
  ["is too large for a case to fill", ["MAX_DEDUPE_IDS", "MAX_LANE_DELIVERIES", "MAX_LANE_BYTES"]],
  [
    "is of the client, or of its storage, which is opened with its capacity",
    [...["MAX_CLIENT_BATCH_BYTES", "MAX_CLIENT_RETRY_AFTER_MS", "MAX_OBJECTION_LENGTH", "MAX_KEPT_CALLS"]],
  ],
  [
    "is of requests and calls before they are stored",
    [
      ...["MAX_BATCH_BYTES", "MAX_DEPTH", "MAX_TEXT_DEPTH", "MAX_PATH_LENGTH", "MAX_STATIC_HEADERS", "MAX_REPLY_BYTES"],
      ...["MAX_IMPRECISE_TOLD", "SHARED_STEP_UNITS", "MAX_AHEAD_MS"],
    ],
  ],
  [
    "is of notifications",
    [
      ...["MAX_NOTIFY_HOOKS", "MAX_NOTIFIED_PLACES", "MAX_NOTIFIED_DETAILS", "NOTIFY_EVERY_MS", "NOTIFY_REMIND_MS"],
      ...["NOTIFY_FAILURE_SHARE", "NOTIFY_WINDOW_DIVISOR", "NOTIFY_LATE_DELETION_MS"],
    ],
  ],
  [
    "decides what a process tells the others, and when",
    ["BOARD_BEAT_MS", "BOARD_HOLD_MS", "BOARD_LIMIT_DIVISOR", "BOARD_LIVE_MS", "BOARD_SLICE_MS"],
  ],
  ["is of settings, which are records to a store", ["MAX_SETTINGS_BYTES", "MAX_ACTOR_LENGTH", "MAX_SETTINGS_HISTORY"]],
  ["is of audiences", ["MIN_GUARDED_MEMBERS", "MAX_REMOVED_SHARE", "MAX_AUDIENCE_NAME_LENGTH"]],
  [
    "decides when the relay does something, and how much of it at once",
    [
      ...["LEASE_SLACK_MS", "LEASE_MARGIN_MS", "OVERDUE_MS", "GATHER_ROWS", "LAST_SLOT_DIVISOR", "END_MARGIN_DIVISOR"],
      ...[
        "MIN_END_MARGIN_MS",
        "RETRY_AFTER_JITTER",
        "LOCAL_FAULT_FIRST_MS",
        "LOCAL_FAULT_MAX_MS",
        "FIRST_LANE_IN_FLIGHT",
      ],
      ...["MAX_LANE_IN_FLIGHT", "MIN_LANE_IN_FLIGHT", "HEALTH_ROUNDS", "SHRINK_FAILURE_SHARE", "BACKOFF_FAILURE_SHARE"],
      ...["SHRINK_FAILURES_IN_A_ROW", "BACKOFF_FAILURES_IN_A_ROW"],
      ...["RETRIES_IGNORED_MS", "QUEUED_PER_SLOT", "MAX_IN_FLIGHT", "MAX_SLOTS_PER_FREE_SLOT", "MIN_FREE_TO_QUEUE"],
      ...["MAX_DELIVERIES_PER_TURN", "RETRY_EVERY", "PROBE_FIRST_MS", "PROBE_MAX_MS", "BLOCKED_RECHECK_MS"],
      ...["MIN_OPEN_ATTEMPTS_BOUND", "CONFIRM_AFTER_MS", "MAX_USUAL_REFUSALS", "REFUSING_FOR_MS", "REFUSING_MESSAGES"],
      ...["REFUSING_MESSAGES_AT_ONCE", "REFUSING_PROBE_MAX_MS", "REFUSING_TIMES_USUAL", "SUCCESS_NOTED_MS"],
      ...["USUAL_RUNS"],
    ],
  ],
];

/** Cases that make the same two calls twenty times: an edge or a member must have a case that tries it alone. */
const RACES = /, between two (processes|calls of one process)$/;

const noted: Noted = { texts: new Map(), most: new Map() };

beforeAll(async () => {
  const clock = createManualClock();
  const harness = {
    ...overOneDisk(watching(noted)),
    now: () => clock.wall(),
    advance: (ms: number) => clock.advance(ms),
    supports: {
      restart: true,
      sharing: true,
      days: true,
      full: true,
      settlingWhenFull: true,
      deletions: true,
      records: true,
      board: true,
      laneChanges: true,
      traceparents: true,
    } as const,
  };
  for (const { name, run } of deliveryStoreContract(harness)) if (!RACES.test(name)) await run();
});

describe("the limits of core", () => {
  it("are each given to the store, or are listed as not its concern", () => {
    const allNames = [...Object.keys(PLACES), ...ELSEWHERE.flatMap(([, names]) => names)];
    expect(allNames.toSorted()).toEqual(Object.keys(limits).toSorted());
  });

  it.each(Object.entries(PLACES))("%s is reached at %s", (name, place) => {
    expect(noted.most.get(place)).toBeGreaterThanOrEqual(
      Number(Object.entries(limits).find(([key]) => key === name)?.[1]),
    );
  });
});

describe("the closed lists of the port", () => {
  const places = membersByPlace("DeliveryStore");

  it("are found in its types", () => {
    expect([...(places.get("commit(0).settle[].outcome.kind") ?? [])].toSorted()).toEqual([
      ...["dead", "delivered", "released", "rescheduled"],
    ]);
    expect(places.size).toBeGreaterThan(30);
  });

  it.each([...places])("at %s have each member given or answered by a case", (place, members) => {
    expect([...members].filter((member) => noted.texts.get(place)?.has(member) !== true)).toEqual([]);
  });
});
