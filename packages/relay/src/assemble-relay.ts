// Connects the parts of a relay. The only file that imports all parts: it gives each part the other parts that its context
// type lists.

import type { DestinationId, Problem, Workspace } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { errAsync, type Result, ResultAsync } from "neverthrow";
import { createAudienceStorage } from "./audiences/audience-storage.js";
import { createAudiences, UNSUPPORTED_AUDIENCES } from "./audiences/create-audiences.js";
import {
  type CheckedSettings,
  demandChecked,
  createOperatorPauses,
  createSettings,
  type SettingsInForce,
} from "./settings-in-force.js";
import { createBoard } from "./fleet/lane-sync.js";
import { createDeletionLoop } from "./users/deletion-work.js";
import { createDeletionRequests } from "./users/deletion-requests.js";
import { createDispatcher } from "./dispatch/dispatcher.js";
import { createRounds } from "./dispatch/rounds.js";
import { type RelayFault, toRelayFault } from "./fault.js";
import { createHostRequests, createParts, type RelayParts } from "./relay-parts.js";
import { accept } from "./intake/accept.js";
import { createMessageQueue } from "./intake/enqueue.js";
import { createHintListener } from "./fleet/hints.js";
import { createLaneRequests } from "./lanes/lane-requests.js";
import { SYNC_BOUNDS } from "./limits.js";
import { type EndContext, endSlices } from "./maintenance/slices.js";
import { createPoller, type Poller } from "./maintenance/poller.js";
import { laneStatusOf } from "./lanes/lane-statuses.js";
import { createLoops, type StartAndStop } from "./loops.js";
import { createQueries } from "./queries.js";
import { createNotifier, createWatch } from "./notifications/notifier.js";
import { createHookQueue } from "./notifications/hook-queue.js";
import type { AdoptedRevision, EmitEvent } from "./relay-event.js";
import type { Relay, RelayOptions } from "./relay.js";
import { createOutboxLoop } from "./outbox.js";
import { createReplayJobs } from "./replay/jobs.js";
import { replayMany, replayOne, storeReplays } from "./replay/replay-many.js";
import { type Endpoints } from "./lanes/endpoints.js";
import { type Lanes } from "./lanes/lanes.js";
import { type PendingCounts } from "./commits/gathering.js";
import type { RelayState } from "./relay-state.js";
import { type Commits } from "./commits/commits.js";
import { createUserData } from "./users/user-data.js";
import { createTests } from "./test-event.js";

/** A relay, and its state in memory, for the one that takes over. */
export interface AssembledRelay extends Relay {
  remember(): RelayState;
  /** Begins no further work, and resolves once all work under way has ended: another relay has taken over. */
  retire(): Promise<void>;
}

/** Creates a relay on ports and settings that are checked, which begins with this state. */
export function assembleRelay(options: RelayOptions, checked: CheckedSettings, state?: RelayState): AssembledRelay {
  const pauses = createOperatorPauses(options.store.records === undefined ? [] : state?.pauses);
  const parts = createParts({ ...options, pauses }, createSettings(checked, pauses), state);
  const { settings, storage, handOff, turns, hintTeller } = parts;
  const { orStalled } = storage;
  const dispatcher = createDispatcher({ ...parts, rounds: createRounds(parts) });
  const { wake } = dispatcher;
  const context = { ...parts, wake, queue: createMessageQueue({ ...parts, wake }) };
  const poller = createPoller(context, context, state?.maintenance);
  const audienceStorage = options.audiences && createAudienceStorage(options.audiences, parts);
  const deletionWork = createDeletionLoop({ ...context, audiences: audienceStorage });
  const deletions = createDeletionRequests({ ...context, onRequest: deletionWork.wake });
  const audiences =
    audienceStorage === undefined
      ? UNSUPPORTED_AUDIENCES
      : createAudiences({
          ...context,
          storage: audienceStorage,
          bounds: { ...SYNC_BOUNDS, ...options.syncBounds },
        });
  const requests = createHostRequests(orStalled);
  const replayJobs = createReplayJobs(
    { ...parts, replay: (all) => storeReplays(parts, all, { once: true }).map(tap(wake)) },
    requests.isStopped,
  );
  const outbox = createOutboxLoop(parts, (arrival, asOf) => accept(context, arrival, asOf));
  const notifier = createNotifier(
    {
      ...parts,
      watch: createWatch(parts, parts.book),
      laneStatus: (id) => laneStatusOf(parts, id),
      createQueue: (...hook) => createHookQueue({ ...parts, http: options.http }, ...hook),
    },
    state?.notify,
  );
  const loops = loopsOf(options, parts, {
    poller,
    wake,
    others: [dispatcher, outbox, deletionWork, audiences, replayJobs, notifier],
  });
  const sendTest = createTests(parts);
  const laneRequests = createLaneRequests(parts);

  return {
    accept: (arrival) => requests.run(() => accept(context, arrival)),
    configure: (next, adopted) => configure(parts, next, adopted).map(tap(wake)).map(tap(notifier.applySettings)),
    start: (): void => {
      if (!requests.isStopped()) loops.start();
    },
    stop: async (): Promise<void> => {
      requests.stop();
      handOff.close();
      turns.close();
      await requests.ended();
      await loops.stop();
      await hintTeller.leave();
      await flushTally(parts);
    },
    retire: async (): Promise<void> => {
      handOff.close();
      await Promise.all([requests.ended(), loops.stop()]);
      await hintTeller.stop();
      await flushTally(parts);
    },
    ...audiences.methods,
    ...deletions,
    requestDeletion: (request) => requests.run(() => deletions.requestDeletion(request).map(tap(dispatcher.recall))),
    replay: (id) => orStalled(() => replayOne(parts, id).map(tap(wake))),
    replayMany: (request) => orStalled(() => replayMany(parts, request).map(tap(wake))),
    previewReplay: (filter) => requests.run(() => replayJobs.methods.previewReplay(filter)),
    startReplay: (filter) => requests.run(() => replayJobs.methods.startReplay(filter)),
    cancelReplay: (id) => requests.run(() => replayJobs.methods.cancelReplay(id)),
    replayJob: (id) => orStalled(() => replayJobs.methods.replayJob(id)),
    replayJobs: () => orStalled(() => replayJobs.methods.replayJobs()),
    forget: (lane) =>
      settings.destination(lane) === undefined
        ? orStalled(() => forget(parts, lane, () => !requests.isStopped()))
        : errAsync({ code: "destination-in-force" as const }),
    pause: (lane) => requests.run(() => laneRequests.pause(lane)),
    resume: (lane) => requests.run(() => laneRequests.resume(lane).map(tap(wake))),
    probe: (lane) => requests.run(() => laneRequests.probe(lane).map(tap(wake))),
    test: (request) => requests.run(() => sendTest(request)),
    ...createQueries(parts),
    ...createUserData({ storage, audienceStorage }),
    health: () => storage.health(),
    workspace: () => settings.workspace(),
    process: () => parts.process,
    remember: () => ({
      lanes: parts.lanes.remember(),
      ...parts.endpoints.remember(),
      localStreaks: parts.localStreaks.remember(),
      clock: parts.clock.remember(),
      maintenance: poller.remember(),
      ...defined({ pauses: parts.pauses.remember(), notify: notifier.remember() }),
    }),
  };
}

interface Loops {
  readonly poller: Poller;
  readonly wake: () => void;
  /** The loops that only a process that delivers has. */
  readonly others: readonly StartAndStop[];
}

function loopsOf({ store, delivers = true }: RelayOptions, parts: RelayParts, { poller, wake, others }: Loops) {
  if (!delivers) return createLoops(parts, [poller]);
  const board = createBoard({ ...parts, wake });
  const hints = createHintListener({ ...parts, wake, poll: poller.wake }, store.hints);
  return createLoops({ ...parts, board }, [hints, poller, ...others]);
}

interface ConfigureContext {
  readonly settings: SettingsInForce;
  readonly lanes: Lanes;
  readonly endpoints: Endpoints;
  readonly emit: EmitEvent;
}

function configure(
  { settings, lanes, endpoints, emit }: ConfigureContext,
  next: Workspace | CheckedSettings,
  adopted: AdoptedRevision | undefined,
): Result<void, readonly Problem[]> {
  return demandChecked(next).map((checked) => {
    settings.replace(checked);
    lanes.applySettings();
    // A destination that is left out may come back: while it has deliveries, it stays known how often its receiver refused them.
    const hasDeliveries = (lane: DestinationId): boolean => (lanes.all().get(lane)?.deliveries ?? 0) > 0;
    endpoints.keep((destination) => checked.destinations.has(destination) || hasDeliveries(destination));
    emit({ kind: "configured", ...adopted });
  });
}

function forget(
  context: EndContext,
  lane: DestinationId,
  shouldContinue: () => boolean,
): ResultAsync<number, RelayFault> {
  const ended = endSlices(context, { lane, reason: "destination-removed" }, shouldContinue);
  return new ResultAsync(ended).mapErr(toRelayFault);
}

interface FlushContext {
  readonly tally: PendingCounts;
  readonly commits: Commits;
}

async function flushTally({ tally, commits }: FlushContext): Promise<void> {
  if (tally.isEmpty()) return;
  await commits.write({}).match(nothing, nothing);
}

function nothing(): void {
  // Nothing is left to do after a commit. After a fault, which the storage has reported, the counts are lost.
}

/** Returns a function that calls `act` and then returns its own argument. */
function tap<T>(act: () => void): (value: T) => T {
  return (value) => {
    act();
    return value;
  };
}
