// Creates the parts of a relay that several others use: clock, storage, lanes, settings, events; and counts the requests of a
// host that are under way.

import { errAsync, type ResultAsync } from "neverthrow";
import type { OrStalled } from "./commits/stall.js";
import type { RelayFault } from "./fault.js";
import { type ProcessId, processId, type Random } from "@postrider/core";
import { createDeadlines, type Deadlines, defined, type LaneBounds, PROCESS_ID_LENGTH } from "@postrider/core/engine";
import { createHandOff, type HandOff } from "./dispatch/claim.js";
import { createEmit } from "./create-emit.js";
import { createFairQueue, type FairQueue } from "./intake/turns.js";
import { createHintTeller, type HintTeller } from "./fleet/hints.js";
import { DEFAULT_BOUNDS, GATHER_MS, POLL_MS, SLICES_PER_TURN, STALL_MS } from "./limits.js";
import { createNextLoopTurn } from "./loop.js";
import { createNotifyBook, type NotifyBook, createNoteEvent } from "./notifications/book.js";
import type { EmitEvent, EmitMeasurement } from "./relay-event.js";
import type { RelayOptions } from "./relay.js";
import { createDuty, type Duty } from "./fleet/lane-sync.js";
import { createEndpoints, type Endpoints, createLocalStreaks, type LocalStreaks } from "./lanes/endpoints.js";
import { randomHex } from "./random-hex.js";
import { createLanes, type Lanes } from "./lanes/lanes.js";
import type { OperatorPauses, SettingsInForce } from "./settings-in-force.js";
import { createPendingCounts, type PendingCounts } from "./commits/gathering.js";
import type { RelayState } from "./relay-state.js";
import { createStoreClock, createWatchedClock, type WatchedClock } from "./fleet/clock.js";
import { type Commits, createCommits } from "./commits/commits.js";
import { createNewLease, type NewLease } from "./commits/lease.js";
import { type AskDeletions, createStorage, type Storage } from "./commits/storage.js";

/** The parts that several others use. */
export interface RelayParts {
  readonly clock: WatchedClock;
  readonly random: Random;
  readonly process: ProcessId;
  readonly settings: SettingsInForce;
  readonly book: NotifyBook;
  readonly emit: EmitEvent;
  readonly measure: EmitMeasurement | undefined;
  readonly storage: Storage;
  readonly lanes: Lanes;
  readonly duty: Duty;
  readonly pauses: OperatorPauses;
  readonly laneBounds: LaneBounds;
  readonly tally: PendingCounts;
  readonly newLease: NewLease;
  readonly commits: Commits;
  readonly handOff: HandOff;
  readonly turns: FairQueue;
  readonly nextSlice: () => Promise<void>;
  readonly deadlines: Deadlines;
  readonly endpoints: Endpoints;
  readonly localStreaks: LocalStreaks;
  readonly hintTeller: HintTeller;
  readonly pollMs: number;
  readonly stallMs: number;
  readonly askDeletions?: AskDeletions;
}

export function createParts(
  options: RelayOptions & { readonly pauses: OperatorPauses },
  settings: SettingsInForce,
  known?: RelayState,
): RelayParts {
  const { http, random, pauses, laneBounds = DEFAULT_BOUNDS } = options;
  const { pollMs = POLL_MS, gatherMs = GATHER_MS, stallMs = STALL_MS } = options;
  const clock = createWatchedClock(createStoreClock(options.clock, known?.clock.storeOffsetMs), known?.clock);
  const book = createNotifyBook(clock, known?.notify);
  const process = processId(randomHex(random, PROCESS_ID_LENGTH / 2));
  const boardProcess = options.store.board && process;
  const hintTeller = createHintTeller({ clock, hints: options.store.hints, delivers: options.delivers !== false });
  const onDue = hintTeller.note;
  const lanes = createLanes({
    clock,
    random,
    settings,
    onDue,
    ...defined({ known: known?.lanes, process: boardProcess }),
  });
  const { emit, measure } = createEmit(options, createNoteEvent({ book, settings, lanes }));
  const storage = createStorage(options.store, { clock, emit, stallMs });
  const tally = createPendingCounts();
  const newLease = createNewLease({ random, settings, process });
  const deadlines = createDeadlines(clock);
  return {
    clock,
    random,
    process,
    settings,
    book,
    emit,
    measure,
    storage,
    lanes,
    duty: createDuty(boardProcess),
    pauses,
    laneBounds,
    tally,
    newLease,
    commits: createCommits({ storage, clock, tally, newLease, gatherMs, measure }),
    handOff: createHandOff(lanes),
    turns: createFairQueue(),
    nextSlice: createNextLoopTurn(clock, SLICES_PER_TURN),
    deadlines,
    endpoints: createEndpoints({
      http,
      clock,
      deadlines,
      limitOf: (destination) => lanes.lane(destination).pace.limit,
      share: () => lanes.shared?.share() ?? 1,
      onHold: (destination) => lanes.shared?.note(destination),
      ...defined({ known }),
    }),
    localStreaks: createLocalStreaks(known?.localStreaks),
    hintTeller,
    pollMs,
    stallMs,
    ...defined({ askDeletions: storage.askDeletions }),
  };
}

/**
 * Keeps track of the requests of a host that a stop waits for: after the stop no request begins, and the stop waits for those under way.
 */
export interface HostRequests {
  /** Begins a request, unless there was a stop or the store is stalled. */
  run<T, E>(request: () => ResultAsync<T, E>): ResultAsync<T, E | RelayFault>;
  readonly isStopped: () => boolean;
  /** From now on no request begins. */
  stop(): void;
  /** Resolves once all requests that have begun have ended. */
  ended(): Promise<void>;
}

export function createHostRequests(orStalled: OrStalled): HostRequests {
  const underWay = new Set<PromiseLike<void>>();
  let isStopped = false;

  function track<T, E>(request: ResultAsync<T, E>): ResultAsync<T, E> {
    const leave = (): void => void underWay.delete(settled);
    const settled = request.then(leave, leave);
    underWay.add(settled);
    return request;
  }

  return {
    run: (request) => (isStopped ? errAsync({ code: "stopped" }) : orStalled(() => track(request()))),
    isStopped: () => isStopped,
    stop: (): void => {
      isStopped = true;
    },
    ended: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}
