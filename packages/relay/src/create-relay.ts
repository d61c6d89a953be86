// Puts a relay together: ports and settings in, the public methods out. Knows the parts by name and what each is for;
// how anything is done stands in the parts.

import {
  checkWorkspace,
  type DestinationId,
  type LaneBounds,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  type Problem,
  type SourceCounts,
  totalCounts,
  type Workspace,
} from "@postrider/core";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import { createAudienceStorage } from "./audience/audience-storage.js";
import { createAudiences, NO_AUDIENCES } from "./audience/create-audiences.js";
import { createSyncs } from "./audience/create-syncs.js";
import { accept } from "./intake/accept.js";
import { createTurns } from "./intake/turns.js";
import { newLease, type RelayContext } from "./context.js";
import { createClockWatch } from "./books/clock-watch.js";
import { createCommits } from "./storage/commits.js";
import { createHandOff } from "./deliver/hand-off.js";
import { GATHER_MS, POLL_MS, STALL_MS, SYNC_BOUNDS } from "./limits.js";
import { createEndpointBook } from "./books/endpoint-book.js";
import { endSlices } from "./upkeep/end-slices.js";
import type { Happening } from "./happening.js";
import { createLaneBook } from "./books/lane-book.js";
import { logHappenings } from "./log-happenings.js";
import { createPatrol } from "./upkeep/patrol.js";
import { createDeletions } from "./deletion/create-deletions.js";
import { createDeletionWork } from "./deletion/create-deletion-work.js";
import type { RelayFault } from "./fault.js";
import type { Relay, RelayOptions } from "./relay.js";
import { relayFault } from "./storage/relay-fault.js";
import { replayMany, replayOne } from "./upkeep/replay.js";
import { createLocalStreaks } from "./books/local-streaks.js";
import { createSettings } from "./books/settings-in-force.js";
import { createStorage } from "./storage/storage.js";
import { createTallyBook } from "./books/tally-book.js";
import { createWork } from "./deliver/work.js";

const DEFAULT_BOUNDS: LaneBounds = { maxDeliveries: MAX_LANE_DELIVERIES, maxBytes: MAX_LANE_BYTES };

/** Creates a relay, or says everything that is wrong with its settings. It takes calls at once, and delivers after `start`. */
export function createRelay(options: RelayOptions): Result<Relay, readonly Problem[]> {
  const problems = checkWorkspace(options.workspace);
  return problems.length > 0 ? err(problems) : ok(assemble(options));
}

function assemble(options: RelayOptions): Relay {
  const context = createContext(options);
  const { settings, storage } = context;
  const { orStalled } = storage;
  const work = createWork(context);
  const patrol = createPatrol(context, work.wake);
  const audienceStorage = options.audiences && createAudienceStorage(options.audiences, context);
  const deletionWork = createDeletionWork(context, { audiences: audienceStorage, deliver: work.wake });
  const deletions = createDeletions(context, deletionWork.wake);
  const bounds = { ...SYNC_BOUNDS, ...options.syncBounds };
  const syncs = audienceStorage && createSyncs(context, { storage: audienceStorage, bounds, deliver: work.wake });
  const audiences = audienceStorage && syncs ? createAudiences(context, audienceStorage, syncs) : NO_AUDIENCES;
  const arrivals = new Set<Promise<void>>();
  let isStopped = false;

  /** A relay that stops waits for what has arrived before. */
  function keep<T, E>(arrival: ResultAsync<T, E>): ResultAsync<T, E> {
    const settled = arrival.match(nothing, nothing).finally(() => arrivals.delete(settled));
    arrivals.add(settled);
    return arrival;
  }

  return {
    accept: (arrival) => {
      if (isStopped) return errAsync<never, RelayFault>({ code: "stopped" });
      return orStalled(() => keep(wakingOnce(accept(context, arrival, work.wake), work.wake)));
    },
    configure: (workspace) => configure(context, workspace).map(waking(work.wake)),
    start: (): void => {
      if (isStopped) return;
      work.start();
      patrol.start();
      deletionWork.start();
      syncs?.start();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      context.handOff.close();
      context.turns.close();
      await Promise.all(arrivals);
      await Promise.all([work.stop(), patrol.stop(), deletionWork.stop(), syncs?.stop()]);
      await flushTally(context);
    },
    ...audiences,
    ...deletions,
    requestDeletion: (request) =>
      isStopped
        ? errAsync({ code: "stopped" as const })
        : orStalled(() => keep(deletions.requestDeletion(request).map(waking(work.recall)))),
    replay: (id) => orStalled(() => replayOne(context, id).map(waking(work.wake))),
    replayMany: (request) => orStalled(() => replayMany(context, request).map(waking(work.wake))),
    forget: (lane) =>
      settings.destination(lane) === undefined
        ? orStalled(() => forget(context, lane, () => !isStopped))
        : errAsync({ code: "destination-in-force" as const }),
    delivery: (id) => orStalled(() => storage.ask((store) => store.find(id)).mapErr(relayFault)),
    deliveries: (query) => orStalled(() => storage.ask((store) => store.list(query)).mapErr(relayFault)),
    stats: () => orStalled(() => usage(context).map(totalCounts)),
    usage: () => orStalled(() => usage(context)),
    health: () => storage.health(),
    workspace: () => settings.workspace(),
  };
}

function createContext(options: RelayOptions): RelayContext {
  const { workspace, store, http, random } = options;
  const clockWatch = createClockWatch(options.clock);
  const { clock } = clockWatch;
  const { laneBounds = DEFAULT_BOUNDS, pollMs = POLL_MS, gatherMs = GATHER_MS, stallMs = STALL_MS } = options;
  const tell = createTell(options);
  const storage = createStorage(store, { clock, tell, stallMs });
  const settings = createSettings(workspace);
  const lanes = createLaneBook({ clock, random, settings });
  const tally = createTallyBook();
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
    endpoints: createEndpointBook(clock, (destination) => lanes.lane(destination).pace.limit),
    localStreaks: createLocalStreaks(),
    tally,
    clockWatch,
    pollMs,
    stallMs,
    tell,
  };
}

/** What happens is told to the log and to the observer. What an observer throws harms nobody. */
function createTell({ logger, observe, clock }: RelayOptions): (happening: Happening) => void {
  const listeners = [logger === undefined ? undefined : logHappenings(logger, clock), observe];
  return (happening): void => {
    for (const listen of listeners) {
      try {
        listen?.(happening);
      } catch {
        // Nothing of ours depends on it, and there is nobody to tell.
      }
    }
  };
}

function configure(context: RelayContext, workspace: Workspace): Result<void, readonly Problem[]> {
  const problems = checkWorkspace(workspace);
  if (problems.length > 0) return err(problems);
  context.settings.replace(workspace);
  context.lanes.reconsider();
  context.endpoints.keep(new Set(workspace.destinations.map((destination) => destination.id)));
  context.tell({ kind: "configured" });
  return ok(undefined);
}

function forget(context: RelayContext, lane: DestinationId, mayGoOn: () => boolean): ResultAsync<number, RelayFault> {
  return new ResultAsync(endSlices(context, { lane, reason: "destination-removed" }, mayGoOn)).mapErr(relayFault);
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
  // Whoever asked has heard; the storage has told what else there is to tell.
}

/** The same answer, after a wake. As an arrival is the hot path, without `map`, see store-messages.ts. */
function wakingOnce<T, E>(answer: ResultAsync<T, E>, wake: () => void): ResultAsync<T, E> {
  const woken = async (): Promise<Result<T, E>> => {
    const result = await answer;
    if (result.isOk()) wake();
    return result;
  };
  return new ResultAsync(woken());
}

function waking<T>(wake: () => void): (value: T) => T {
  return (value) => {
    wake();
    return value;
  };
}
