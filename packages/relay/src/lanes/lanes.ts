// The relay's view of its lanes: when the next delivery of each is due, how many deliveries and bytes it has, and how
// fast it may send. The store has the true counts; here are those of its last answer, plus the changes that this
// process has made since. Core decides the pace of a lane after a round.

import type { Clock, DestinationId, EpochMs, LaneRow, MonoMs, ProcessId, Random } from "@postrider/core";
import {
  afterRound,
  lacksProbe,
  type LaneState,
  mayStartRound,
  probeNow,
  recheckBlocked,
} from "@postrider/core/engine";
import {
  earlier,
  type Lane,
  type LaneCondition,
  type LaneRound,
  newLane,
  noteRoundEnd,
  rememberLane,
  restoreLane,
  setPace,
  addEntry,
  type LaneEntry,
  type NewEntry,
  storedEntry,
} from "./lane.js";
import { createLaneTurns, type LaneTurns } from "./slots.js";
import { createSharedLanes, forgetPace, type SharedLanes } from "./shared-lanes.js";
import type { RelayState } from "../relay-state.js";
import type { SettingsInForce } from "../settings-in-force.js";

const EMPTY = { deliveries: 0, bytes: 0, firstAttemptAt: undefined };

export interface Lanes extends Omit<LaneTurns, "update" | "asking"> {
  /** The state of lanes that processes share by the board. Absent if the store has no board. */
  readonly shared?: SharedLanes;
  /**
   * The state of a lane as decisions see it; the object changes with the lane. An unknown lane is created, so the id must not
   * come from a caller.
   */
  lane(id: DestinationId): LaneState;
  /** True if only probes are sent: the receiver fails, or the lane is blocked. */
  isHeld(id: DestinationId): boolean;
  /** True if the address policy refused every endpoint of the lane when they were last looked up. */
  isBlocked(id: DestinationId): boolean;
  /** True if only probes are sent, and no round may start: the next one is not due yet, or not taken from the board. */
  isResting(id: DestinationId): boolean;
  /** To be called when a delivery of this lane can be claimed from `dueAt` on. */
  due(lane: DestinationId, dueAt: EpochMs): void;
  /** Counts a delivery that is about to be stored. */
  add(lane: DestinationId, bytes: number): NewEntry;
  /** The entry of a delivery that is claimed from the store. */
  entry(lane: DestinationId, bytes: number): LaneEntry;
  /** True if one more round of this lane may start. */
  mayStart(lane: DestinationId): boolean;
  /**
   * To be called when a round has ended, while its slot is still taken. Returns the condition of its lane if that has
   * changed.
   */
  roundEnded(lane: DestinationId, round: LaneRound): LaneCondition | undefined;
  /** To be called when deliveries of this lane have died, other than by a purge. */
  died(lane: DestinationId, deliveries: number): void;
  /** Takes over the store's row of a lane. */
  refresh(row: LaneRow): void;
  /** To be called when other settings are in force. */
  applySettings(): void;
  /** To be called when a lane was paused or resumed; without a lane, when any of them may have been. */
  applyTerms(id?: DestinationId): void;
  /** Lets the next probe of a lane that sends only probes go out at once. */
  probeNow(id: DestinationId): void;
  /** To be called when the poller begins to ask the store for all lanes with deliveries. */
  startPoll(): void;
  /**
   * Sets the counts of a lane to 0, since the store has answered that it has no deliveries. A lane to which a delivery was
   * added since the poll began keeps its counts.
   */
  empty(id: DestinationId): void;
  /**
   * Sets the counts of all lanes that are not in `listed` to 0, since the store has answered that only the lanes in
   * `listed` have deliveries, as `empty` does.
   */
  emptyAllBut(listed: ReadonlySet<DestinationId>): void;
  /** All lanes in the memory of this process. The objects change with the lanes. */
  all(): ReadonlyMap<DestinationId, ShownLane>;
  /** The memory of all lanes, for the relay that takes over. */
  remember(): RelayState["lanes"];
}

/** The state of a lane, of its deliveries and of its receiver. */
export type ShownLane = LaneState & Pick<Lane, "firstAttemptAt" | "heldAt" | "hasTaken" | "lastFailure" | "deaths">;

interface LanesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Pick<SettingsInForce, "destination" | "isOpen">;
  /** The lanes that the former relay has known. */
  readonly known?: RelayState["lanes"];
  /** Called with each lane of which a further delivery is due, unless an answer of the store said so. */
  readonly onDue?: (lane: DestinationId) => void;
  /** The id of this process on the board of the store; absent if that has none. */
  readonly process?: ProcessId;
}

export function createLanes({ clock, random, settings, known = [], process, onDue }: LanesOptions): Lanes {
  const lanes = new Map<DestinationId, Lane>();
  const { asking, ...turns } = createLaneTurns({ open, clock, onAsking: () => shared?.wake() });
  const shared = process && createSharedLanes({ lanes, open, clock, process, asking, update: turns.update });
  /** The number of polls that have begun. */
  let poll = 0;
  for (const memory of known) {
    const lane = restoreLane(shared === undefined ? memory : forgetPace(memory), termsOf(memory.lane));
    shared?.join(lane);
    lanes.set(lane.lane, lane);
    turns.update(lane);
  }

  function open(id: DestinationId): Lane {
    const existing = lanes.get(id);
    if (existing !== undefined) return existing;
    const lane = newLane(id, termsOf(id), random.unit());
    shared?.join(lane);
    lanes.set(id, lane);
    return lane;
  }

  function termsOf(id: DestinationId): Pick<Lane, "isOpen" | "rateLimit"> {
    return { isOpen: settings.isOpen(id), rateLimit: settings.destination(id)?.destination.rateLimit };
  }

  function applyTerms(lane: Lane): void {
    Object.assign(lane, termsOf(lane.lane));
    turns.update(lane);
  }

  function due(lane: Lane, dueAt: EpochMs): void {
    lane.nextDueAt = earlier(lane.nextDueAt, dueAt);
    lane.dueMeanwhile = earlier(lane.dueMeanwhile, dueAt);
    turns.update(lane);
  }

  function empty(lane: Lane): void {
    if (lane.grownInPoll === poll) return;
    Object.assign(lane, { ...EMPTY, countsFrom: poll } satisfies Partial<Lane>);
    if (isUnused(lane) && settings.destination(lane.lane) === undefined) lanes.delete(lane.lane);
  }

  return {
    ...turns,
    ...(shared && { shared }),
    lane: open,
    isHeld: (id) => lanes.get(id)?.pace.backoff !== undefined,
    isBlocked: (id) => lanes.get(id)?.pace.backoff?.reason === "blocked",
    isResting: (id) => isResting(lanes.get(id), clock.monotonic()),
    due: (id, dueAt): void => {
      due(open(id), dueAt);
      onDue?.(id);
    },
    add: (id, bytes) => addEntry(open(id), bytes, poll),
    entry: (id, bytes) => storedEntry(open(id), bytes),
    mayStart: (id) => mayStartRound(open(id)),
    roundEnded: (id, { delivery, isFirst, signal, detail }) => {
      const lane = open(id);
      const paceBefore = lane.pace;
      const nowMs = clock.monotonic();
      const round = { delivery, isFirst, signal, inFlight: lane.running, share: lane.onBoard?.share };
      noteRoundEnd(lane, { signal, detail }, clock.wall());
      const condition = setPace(lane, afterRound(paceBefore, round, nowMs), nowMs);
      shared?.roundEnded(lane, paceBefore, signal);
      turns.update(lane);
      return condition;
    },
    died: (id, deliveries): void => addDeaths(lanes.get(id), deliveries),
    refresh: (row): void => {
      const lane = open(row.lane);
      lane.deliveries = row.deliveries;
      lane.bytes = row.bytes;
      lane.firstAttemptAt = row.firstAttemptAt;
      lane.countsFrom = poll;
      due(lane, row.nextDueAt);
    },
    applySettings: (): void => {
      for (const lane of lanes.values()) {
        lane.pace = recheckBlocked(lane.pace, clock.monotonic());
        applyTerms(lane);
      }
    },
    applyTerms: (id): void => {
      for (const lane of id === undefined ? lanes.values() : [open(id)]) applyTerms(lane);
    },
    probeNow: (id): void => {
      const lane = open(id);
      lane.pace = probeNow(lane.pace, clock.monotonic());
      shared?.hasten(lane);
      turns.update(lane);
    },
    startPoll: (): void => {
      poll += 1;
    },
    empty: (id): void => {
      const lane = lanes.get(id);
      if (lane !== undefined) empty(lane);
    },
    emptyAllBut: (listed): void => {
      for (const [id, lane] of lanes) if (!listed.has(id)) empty(lane);
    },
    all: () => lanes,
    remember: () => [...lanes.values()].map(rememberLane),
  };
}

function addDeaths(lane: Lane | undefined, deliveries: number): void {
  if (lane !== undefined) lane.deaths += deliveries;
}

/** True if nothing would be lost with this lane, which is empty. */
function isUnused({ readiness, inFlight, unsettled, onBoard }: Lane): boolean {
  return readiness === "idle" && inFlight + unsettled === 0 && onBoard?.row === undefined;
}

function isResting(lane: Lane | undefined, now: MonoMs): boolean {
  if (lane?.pace.backoff === undefined) return false;
  return lane.pace.backoff.reason === "blocked" ? now < lane.pace.backoff.probeAt : lacksProbe(lane, now);
}
