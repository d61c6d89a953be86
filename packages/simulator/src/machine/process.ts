// One process of a simulation: the real relay, on ports that can fail and die with it. The ledger records what they do.
// Operations of stores run and are recorded one at a time, since the counters of store and ledger must match.

import type {
  AudienceStore,
  Clock,
  DeliveryStore,
  HttpPort,
  Random,
  Workspace,
  Reply,
  DeletionStore,
  EpochMs,
} from "@postrider/core";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { createKillablePorts, type KillablePorts } from "../simulated-host/killable-ports.js";
import type { Ledger } from "../ledger/ledger.js";
import { observeHold } from "../ledger/holds.js";
import { checkClaimRequest, observeClaim } from "../ledger/observe-claim.js";
import {
  checkEndRequest,
  checkPullInRequest,
  checkCounts,
  observeEnd,
  observePullIn,
} from "../ledger/observe-bulk-changes.js";
import { type ActiveTroubles, killIfDue } from "./active-troubles.js";
import { createFallibleAudiences, createFallibleStore, createHintWay, createPerform } from "./troubles.js";
import { laneOfEndpoint } from "../build-workspace.js";
import { observeReply, observeRequest } from "../ledger/observe-request.js";
import { createSimulatedSender } from "../receivers-http.js";
import { observeCommit } from "../ledger/observe-commit.js";
import { observeFinish, observeOpen, observePurged } from "../ledger/observe-deletion.js";

export interface Process {
  readonly number: number;
  readonly relay: Relay;
  readonly ports: KillablePorts;
  /** Kills the thread that sends its requests; another one runs after `downMs`. */
  readonly killSender: (downMs: number) => void;
}

/** The parts that all processes of a simulation share. */
export interface ProcessParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly troubles: ActiveTroubles;
  readonly http: HttpPort;
  readonly pollMs: number;
  /** False: the process stores what it accepts, and sends nothing. */
  readonly delivers?: boolean;
  /** Opens a store on the disk. */
  readonly openStore: () => DeliveryStore;
  /** Opens the store of audiences on the disk; absent if there are no audiences. */
  readonly openAudiences?: () => AudienceStore;
}

/** Bounds that a sync of few members meets: its upload has several runs, and its changes several steps. */
const SYNC_BOUNDS = { chunkMembers: 8, runChunks: 2, appendMembers: 6, mergeRuns: 2, stepChanges: 6 };

/** Starts a process. Throws if the settings are bad. */
export function startProcess(parts: ProcessParts, workspace: Workspace, number: number): Process {
  const { clock, random, ledger, troubles, pollMs } = parts;
  let isAlive = true;
  const watchedParts = { ledger, process: number, troubles, clock, settings: () => relay.workspace() };
  const perform = createPerform({ clock, random, troubles, process: number, isAlive: () => isAlive });
  const sender = createSimulatedSender(parts.http, clock);
  const killable = createKillablePorts({
    clock,
    store: createFallibleStore(createWatchedStore(parts.openStore(), ledger, number), perform, createHintWay(parts)),
    ...(parts.openAudiences && { audiences: createFallibleAudiences(parts.openAudiences(), perform) }),
    http: killAtNetworkSteps(sender, watchedParts),
  });
  const kill = (): void => {
    isAlive = false;
    killable.kill();
  };
  const http = recordExchanges(killable.http, watchedParts);
  const checkedStore: DeliveryStore = {
    ...killable.store,
    claim: (request, now) => {
      checkClaimRequest(ledger, request, { process: number, settings: relay.workspace() });
      return killable.store.claim(request, now);
    },
    end: (request, now) => {
      checkEndRequest(ledger, request, relay.workspace());
      return killable.store.end(request, now);
    },
    pullIn: (request, now) => {
      checkPullInRequest(ledger, request, relay.workspace());
      return killable.store.pullIn(request, now);
    },
  };
  const observe = (event: RelayEvent): void => observeHold(ledger, number, event);
  const audiences = killable.audiences && { audiences: killable.audiences, syncBounds: SYNC_BOUNDS };
  const options = {
    workspace,
    store: checkedStore,
    ...audiences,
    http,
    clock: killable.clock,
    random,
    pollMs,
    observe,
    ...(parts.delivers === false && { delivers: false }),
  };
  const relay = createRelay(options);
  relay.start();
  return { number, relay, ports: { ...killable, kill }, killSender: sender.kill };
}

interface WatchedParts {
  readonly ledger: Ledger;
  readonly process: number;
  readonly troubles: ActiveTroubles;
  /** The clock of the process. */
  readonly clock: Clock;
  /** The settings of the process, as they are now. */
  readonly settings: () => Workspace;
}

/** Kills the process, if a crash is due at that step, when its request would leave, or before a reply reaches it. */
function killAtNetworkSteps(http: HttpPort, watchedParts: WatchedParts): HttpPort {
  return {
    send: async (request) => {
      if (killIfDue(watchedParts, "request-sent")) return never();
      const reply = await http.send(request);
      return killIfDue(watchedParts, "reply-come") ? never() : reply;
    },
  };
}

/** Records each request when the process sends it, and each reply when the process gets it. */
function recordExchanges(http: HttpPort, { ledger, process, settings }: WatchedParts): HttpPort {
  return {
    send: async (request) => {
      const lane = laneOfEndpoint(request.url);
      const { url: endpoint, headers, body } = request;
      const sent = { process, lane, endpoint, headers, body, startedAt: ledger.clock.wall(), settings: settings() };
      const knownRequest = observeRequest(ledger, sent);
      const reply = await http.send(request);
      if (knownRequest !== undefined) observeReply(ledger, { process, endpoint, request: knownRequest, reply });
      return reply;
    },
  };
}

function never(): Promise<Reply> {
  return new Promise<Reply>(nothing);
}

function nothing(): void {
  // The process has died: there is no caller to answer.
}

/** `process` is the number of the process that uses the store. */
function createWatchedStore(store: DeliveryStore, ledger: Ledger, process: number): DeliveryStore {
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = ledger.lastOperation.then(work, work);
    ledger.lastOperation = result;
    return result;
  }

  /** The time by which the store judges a request that was made at `now`. */
  function judgedAt(now: EpochMs): EpochMs {
    return store.clock === undefined ? now : ledger.clock.wall();
  }

  function watchedDeletions(deletions: DeletionStore): DeletionStore {
    return {
      ...deletions,
      open: (deletion, now) =>
        inTurn(async () => {
          await deletions.open(deletion, now);
          observeOpen(ledger, deletion);
        }),
      purge: (slice, now) =>
        inTurn(async () => {
          const purged = await deletions.purge(slice, now);
          await observePurged(ledger, store);
          return purged;
        }),
      finish: (id, now) =>
        inTurn(async () => {
          const isFinished = await deletions.finish(id, now);
          if (isFinished) observeFinish(ledger, id);
          return isFinished;
        }),
    };
  }

  return {
    ...store,
    ...(store.deletions === undefined ? {} : { deletions: watchedDeletions(store.deletions) }),
    commit: (changes, now) =>
      inTurn(async () => {
        const committed = await store.commit(changes, now);
        observeCommit(ledger, { process, changes, committed }, judgedAt(now));
        checkCounts(ledger, ledger.counts, await store.counts());
        return committed;
      }),
    claim: (request, now) =>
      inTurn(async () => {
        const claimed = await store.claim(request, now);
        observeClaim(ledger, { process, request, claimed }, judgedAt(now));
        if (ledger.covered.size > 0) await observePurged(ledger, store);
        return claimed;
      }),
    end: (request, now) =>
      inTurn(async () => {
        const ended = await store.end(request, now);
        if (ended > 0) await observeEnd(ledger, store, request);
        return ended;
      }),
    pullIn: (request, now) =>
      inTurn(async () => {
        const pulled = await store.pullIn(request, now);
        if (pulled > 0) await observePullIn(ledger, store, request);
        return pulled;
      }),
  };
}
