// The network of a process: the ledger records each request when the process sends it, and each reply when the process
// gets it. A process may be killed when a request would leave, or before a reply reaches it.

import type { Clock, HttpPort, Reply, Workspace } from "@postrider/core";
import { laneOfEndpoint } from "../build-workspace.js";
import { observeReply } from "../ledger/observe-reply.js";
import { observeRequest } from "../ledger/observe-request.js";
import type { Ledger } from "../ledger/ledger.js";
import { killIfDue, type ActiveTroubles } from "./troubles.js";

export interface WatchedHttpOptions {
  readonly ledger: Ledger;
  readonly process: number;
  readonly troubles: ActiveTroubles;
  /** The clock of the process. */
  readonly clock: Clock;
  /** The settings of the process, as they are now. */
  readonly settings: () => Workspace;
}

/** Kills the process, if a crash is due at that step, when its request would leave, or before a reply reaches it. */
export function killAtNetworkSteps(http: HttpPort, watched: WatchedHttpOptions): HttpPort {
  return {
    send: async (request) => {
      if (killIfDue(watched, "request-sent")) return never();
      const reply = await http.send(request);
      return killIfDue(watched, "reply-come") ? never() : reply;
    },
  };
}

/** Records each request when the process sends it, and each reply when the process gets it. */
export function recordExchanges(http: HttpPort, { ledger, process, settings }: WatchedHttpOptions): HttpPort {
  return {
    send: async (request) => {
      const lane = laneOfEndpoint(request.url);
      const { url: endpoint, body } = request;
      const startedAt = ledger.clock.wall();
      const seen = observeRequest(ledger, { process, lane, endpoint, body, startedAt, settings: settings() });
      const reply = await http.send(request);
      if (seen !== undefined) observeReply(ledger, { process, endpoint, request: seen, reply });
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
