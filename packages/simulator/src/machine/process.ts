// One process of a simulation: the real relay, on ports that can fail, that the ledger observes, and that die with the
// process.

import type { Clock, DeliveryStore, HttpPort, Random, Workspace } from "@postrider/core";
import { createRelay, type Relay } from "@postrider/relay";
import { createKillablePorts, type KillablePorts } from "../simulated-host/killable-ports.js";
import type { Ledger } from "../ledger/ledger.js";
import { checkClaimRequest } from "../ledger/observe-claim.js";
import { checkEndRequest } from "../ledger/observe-bulk-changes.js";
import { createFallibleStore } from "./fallible-store.js";
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
}

/** Starts a process. Throws if the settings are bad. */
export function startProcess(parts: ProcessParts, workspace: Workspace, number: number): Process {
  const { clock, random, ledger, troubles, pollMs } = parts;
  let isAlive = true;
  const watched = { ledger, process: number, troubles, settings: () => relay.workspace() };
  const store = createFallibleStore({
    store: createWatchedStore(parts.openStore(), ledger, number),
    clock,
    random,
    troubles,
    process: number,
    isAlive: () => isAlive,
  });
  const killable = createKillablePorts({ clock, store, http: killAtNetworkSteps(parts.http, watched) });
  const kill = (): void => {
    isAlive = false;
    killable.kill();
  };
  const http = recordExchanges(killable.http, watched);
  const asking: DeliveryStore = {
    ...killable.store,
    claim: (request, now) => {
      checkClaimRequest(ledger, request, relay.workspace());
      return killable.store.claim(request, now);
    },
    end: (request, now) => {
      checkEndRequest(ledger, request);
      return killable.store.end(request, now);
    },
  };
  const options = { workspace, store: asking, http, clock: killable.clock, random, pollMs };
  const relay = createRelay(options);
  relay.start();
  return { number, relay, ports: { ...killable, kill } };
}
