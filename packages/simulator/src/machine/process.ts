// One process of a simulation: the real relay, on ports that can fail, that the ledger observes, and that die with the
// process.

import type { AudienceStore, Clock, DeliveryStore, HttpPort, Random, Workspace } from "@postrider/core";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { createKillablePorts, type KillablePorts } from "../simulated-host/killable-ports.js";
import type { Ledger } from "../ledger/ledger.js";
import { observeHold } from "../ledger/holds.js";
import { checkClaimRequest } from "../ledger/observe-claim.js";
import { checkEndRequest } from "../ledger/observe-bulk-changes.js";
import { createFallibleAudiences } from "./fallible-audiences.js";
import { createFallibleStore } from "./fallible-store.js";
import { createPerform } from "./perform.js";
import type { ActiveTroubles } from "./troubles.js";
import { recordExchanges, killAtNetworkSteps } from "./watched-http.js";
import { createWatchedStore } from "./watched-store.js";

export interface Process {
  readonly number: number;
  readonly relay: Relay;
  readonly ports: KillablePorts;
}

/** The parts that all processes of a simulation share. */
export interface ProcessParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly troubles: ActiveTroubles;
  readonly http: HttpPort;
  readonly pollMs: number;
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
  const watched = { ledger, process: number, troubles, clock, settings: () => relay.workspace() };
  const perform = createPerform({ clock, random, troubles, process: number, isAlive: () => isAlive });
  const killable = createKillablePorts({
    clock,
    store: createFallibleStore(createWatchedStore(parts.openStore(), ledger, number), perform),
    ...(parts.openAudiences && { audiences: createFallibleAudiences(parts.openAudiences(), perform) }),
    http: killAtNetworkSteps(parts.http, watched),
  });
  const kill = (): void => {
    isAlive = false;
    killable.kill();
  };
  const http = recordExchanges(killable.http, watched);
  const asking: DeliveryStore = {
    ...killable.store,
    claim: (request, now) => {
      checkClaimRequest(ledger, request, { process: number, settings: relay.workspace() });
      return killable.store.claim(request, now);
    },
    end: (request, now) => {
      checkEndRequest(ledger, request, relay.workspace());
      return killable.store.end(request, now);
    },
  };
  const observe = (event: RelayEvent): void => observeHold(ledger, number, event);
  const audiences = killable.audiences && { audiences: killable.audiences, syncBounds: SYNC_BOUNDS };
  const options = { workspace, store: asking, ...audiences, http, clock: killable.clock, random, pollMs, observe };
  const relay = createRelay(options);
  relay.start();
  return { number, relay, ports: { ...killable, kill } };
}
