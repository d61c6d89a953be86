// Creates a relay from its ports and settings, and connects its parts. It does not know how the parts work.

import type { DestinationId, Problem, SourceCounts, Workspace } from "@postrider/core";
import {
  createOptionsError,
  type LaneBounds,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  totalCounts,
} from "@postrider/core/engine";
import { errAsync, type Result, ResultAsync } from "neverthrow";
import { createAudienceStorage } from "./audience/audience-storage.js";
import { createAudiences, NO_AUDIENCES } from "./audience/create-audiences.js";
import { createSyncs } from "./audience/create-syncs.js";
import { accept } from "./intake/accept.js";
import { createTurns } from "./intake/turns.js";
import { type CheckedSettings, demandChecked } from "./checked-settings.js";
import { newLease, type RelayContext } from "./context.js";
import { createClockWatch } from "./state/watched-clock.js";
import { createCommits } from "./storage/commits.js";
import { createHandOff } from "./dispatch/hand-off.js";
import { GATHER_MS, POLL_MS, SLICES_A_TURN, STALL_MS, SYNC_BOUNDS } from "./limits.js";
import { createLoopTurns } from "./loop-queue.js";
import { createEndpoints } from "./state/endpoints.js";
import { endSlices } from "./maintenance/end-slices.js";
import type { RelayEvent } from "./relay-event.js";
import { createLanes } from "./state/lanes.js";
import { logEvents } from "./log-events.js";
import { createPoller } from "./maintenance/poller.js";
import { createDeletions } from "./deletion/create-deletions.js";
import { createDeletionWork } from "./deletion/create-deletion-work.js";
import type { RelayFault } from "./fault.js";
import type { Relay, RelayOptions } from "./relay.js";
import { relayFault } from "./storage/relay-fault.js";
import { replayMany, replayOne } from "./replay.js";
import { createLocalStreaks } from "./state/local-streaks.js";
import { createSettings, type SettingsInForce } from "./state/settings-in-force.js";
import { createStorage } from "./storage/storage.js";
import { createPendingCounts } from "./state/pending-counts.js";
import { createDispatcher } from "./dispatch/dispatcher.js";

const DEFAULT_BOUNDS: LaneBounds = { maxDeliveries: MAX_LANE_DELIVERIES, maxBytes: MAX_LANE_BYTES };

/**
 * Creates a relay. It accepts calls at once, and delivers after `start`. Throws an `OptionsError` that names all problems of
 * its settings; `checkSettings` returns them instead.
 */
export function createRelay(options: RelayOptions): Relay {
  return assemble(
    options,
    demandChecked(options.workspace).match((checked) => checked, refuse),
  );
}

function refuse(problems: readonly Problem[]): never {
  const placed = problems.map((problem) => ({ ...problem, path: `workspace.${problem.path}` }));
  throw createOptionsError("createRelay", placed);
}

function assemble(options: RelayOptions, checked: CheckedSettings): Relay {
  const context = createContext(options, createSettings(checked));
  const { settings, storage } = context;
  const { orStalled } = storage;
  const dispatcher = createDispatcher(context);
  const poller = createPoller(context, dispatcher.wake);
  const audienceStorage = options.audiences && createAudienceStorage(options.audiences, context);
  const deletionWork = createDeletionWork(context, { audiences: audienceStorage, deliver: dispatcher.wake });
  const deletions = createDeletions(context, deletionWork.wake);
  const bounds = { ...SYNC_BOUNDS, ...options.syncBounds };
  const syncs = audienceStorage && createSyncs(context, { storage: audienceStorage, bounds, deliver: dispatcher.wake });
  const audiences = audienceStorage && syncs ? createAudiences(context, audienceStorage, syncs) : NO_AUDIENCES;
  const arrivals = new Set<PromiseLike<void>>();
  let isStopped = false;

  /** Keeps an arrival, so that `stop` waits for it. */
  function keep<T, E>(arrival: ResultAsync<T, E>): ResultAsync<T, E> {
    const leave = (): void => void arrivals.delete(settled);
    const settled = arrival.then(leave, leave);
    arrivals.add(settled);
    return arrival;
  }

  return {
    accept: (arrival) => {
      if (isStopped) return errAsync<never, RelayFault>({ code: "stopped" });
      return orStalled(() => keep(accept(context, arrival, dispatcher.wake)));
    },
    configure: (next) => configure(context, next).map(waking(dispatcher.wake)),
    start: (): void => {
      if (isStopped) return;
      dispatcher.start();
      poller.start();
      deletionWork.start();
      syncs?.start();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      context.handOff.close();
      context.turns.close();
      await Promise.all(arrivals);
      await Promise.all([dispatcher.stop(), poller.stop(), deletionWork.stop(), syncs?.stop()]);
      await flushTally(context);
    },
    ...audiences,
    ...deletions,
    requestDeletion: (request) =>
      isStopped
        ? errAsync({ code: "stopped" as const })
        : orStalled(() => keep(deletions.requestDeletion(request).map(waking(dispatcher.recall)))),
    replay: (id) => orStalled(() => replayOne(context, id).map(waking(dispatcher.wake))),
    replayMany: (request) => orStalled(() => replayMany(context, request).map(waking(dispatcher.wake))),
    forget: (lane) =>
      settings.destination(lane) === undefined
        ? orStalled(() => forget(context, lane, () => !isStopped))
        : errAsync({ code: "destination-in-force" as const }),
    delivery: (id) => orStalled(() => storage.ask((store) => store.find(id)).mapErr(relayFault)),
    deliveries: (query) => orStalled(() => storage.ask((store) => store.list(query)).mapErr(relayFault)),
    seen: (query) =>
      orStalled(() => storage.ask((store) => store.seen(query, context.clock.wall())).mapErr(relayFault)),
    stats: () => orStalled(() => usage(context).map(totalCounts)),
    usage: () => orStalled(() => usage(context)),
    health: () => storage.health(),
    workspace: () => settings.workspace(),
  };
}

function createContext(options: RelayOptions, settings: SettingsInForce): RelayContext {
  const { store, http, random } = options;
  const clockWatch = createClockWatch(options.clock);
  const { clock } = clockWatch;
  const { laneBounds = DEFAULT_BOUNDS, pollMs = POLL_MS, gatherMs = GATHER_MS, stallMs = STALL_MS } = options;
  const emit = createEmit(options);
  const storage = createStorage(store, { clock, emit, stallMs });
  const lanes = createLanes({ clock, random, settings });
  const tally = createPendingCounts();
  return {
    storage,
    commits: createCommits({ storage, clock, tally, newLease: () => newLease({ random, settings }), gatherMs }),
    http,
    clock,
    random,
    settings,
    lanes,
    handOff: createHandOff(lanes),
    laneBounds,
    turns: createTurns(),
    nextSlice: createLoopTurns(clock, SLICES_A_TURN),
    endpoints: createEndpoints(clock, (destination) => lanes.lane(destination).pace.limit),
    localStreaks: createLocalStreaks(),
    tally,
    clockWatch,
    pollMs,
    stallMs,
    emit,
  };
}

/** Passes each event to the log and to the observer. What an observer throws has no effect. */
function createEmit({ logger, observe, clock }: RelayOptions): (event: RelayEvent) => void {
  const listeners = [logger === undefined ? undefined : logEvents(logger, clock), observe];
  return (event): void => {
    for (const listen of listeners) {
      try {
        listen?.(event);
      } catch {
        // The relay does not depend on the observer, and there is no place to report the error.
      }
    }
  };
}

function configure(
  { settings, lanes, endpoints, emit }: RelayContext,
  next: Workspace | CheckedSettings,
): Result<void, readonly Problem[]> {
  return demandChecked(next).map((checked) => {
    settings.replace(checked);
    lanes.applySettings();
    endpoints.keep((destination) => checked.destinations.has(destination));
    emit({ kind: "configured" });
  });
}

function forget(
  context: RelayContext,
  lane: DestinationId,
  shouldContinue: () => boolean,
): ResultAsync<number, RelayFault> {
  return new ResultAsync(endSlices(context, { lane, reason: "destination-removed" }, shouldContinue)).mapErr(
    relayFault,
  );
}

function usage({ storage, tally }: RelayContext): ResultAsync<readonly SourceCounts[], RelayFault> {
  return storage
    .ask((store) => store.counts())
    .map((sources) => tally.addTo(sources))
    .mapErr(relayFault);
}

async function flushTally(context: RelayContext): Promise<void> {
  if (context.tally.isEmpty()) return;
  await context.commits.write({}).match(nothing, nothing);
}

function nothing(): void {
  // The caller has its answer; the storage has reported the fault.
}

function waking<T>(wake: () => void): (value: T) => T {
  return (value) => {
    wake();
    return value;
  };
}
