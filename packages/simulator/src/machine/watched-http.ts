// The network of a process: the ledger reads each request as it goes out, and each reply as the process hears it. Here a
// process may die with a request on its way, or with a reply at the door.

import type { HttpPort, Reply, Workspace } from "@postrider/core";
import { laneOfEndpoint } from "../build-workspace.js";
import { seeReply } from "../ledger/see-reply.js";
import { seeRequest } from "../ledger/see-request.js";
import type { Ledger } from "../ledger/ledger.js";
import { diesAt, type ActiveTroubles } from "./troubles.js";

export interface WatchedHttpOptions {
  readonly ledger: Ledger;
  readonly process: number;
  readonly troubles: ActiveTroubles;
  /** The settings that the process has. */
  readonly settings: () => Workspace;
}

/** Out of the process: in front of what may be killed. */
export function watchRequests(http: HttpPort, watched: WatchedHttpOptions): HttpPort {
  return {
    send: async (request) => {
      if (diesAt(watched, "request-sent")) return never();
      const reply = await http.send(request);
      return diesAt(watched, "reply-come") ? never() : reply;
    },
  };
}

/** In the process: what it sends and hears. */
export function watchReplies(http: HttpPort, { ledger, process, settings }: WatchedHttpOptions): HttpPort {
  return {
    send: async (request) => {
      const lane = laneOfEndpoint(request.url);
      const { url: endpoint, body } = request;
      const seen = seeRequest(ledger, { process, lane, endpoint, body, settings: settings() });
      const reply = await http.send(request);
      if (seen !== undefined) seeReply(ledger, { process, endpoint, request: seen, reply });
      return reply;
    },
  };
}

function never(): Promise<Reply> {
  return new Promise<Reply>(nothing);
}

function nothing(): void {
  // Nobody is left to hear of it.
}
