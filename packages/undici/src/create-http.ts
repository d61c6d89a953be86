// The HTTP port on Node: gives each request a connection to its origin and sends it there. Decides nothing else.

import type { Clock, Fault, HttpPort, Reply } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { createAfterPoll } from "./after-poll.js";
import { createAges } from "./connection-age.js";
import { createPostConnection } from "./connection.js";
import { createDiallerFactory } from "./dial.js";
import { CONNECTION_AGE_MS } from "./limits.js";
import { type Network, requireValidNetwork } from "./network.js";
import type { ListenAddress } from "./own-address.js";
import { createPools } from "./pools.js";
import { createReadTarget } from "./read-target.js";
import { createResolveName, type ResolveName } from "./resolve-name.js";
import { sendOnConnection } from "./send.js";
import { createUnaskedOrigins } from "./unasked-origins.js";
import { createWritePost } from "./write-request.js";

/** The options of `createUndiciHttp`. */
export interface UndiciHttpOptions {
  /** If its timers keep the process running, so does a request that is under way. */
  readonly clock: Clock;
  /** Allowed addresses and trusted authorities. If absent, only the public internet and the public authorities. */
  readonly network?: Network;
  /** Resolves names. If absent, as the system would. The addresses are checked in any case. */
  readonly resolve?: ResolveName;
  /** Returns the addresses on which the host listens, which are never dialled, even if allowed. Called at each dial. */
  readonly refuse?: () => readonly ListenAddress[];
  /**
   * Called once for an origin, such as `https://receiver.example:8443`, that has sent an answer which no request asked for, as a
   * server does that answers twice. From then on, each connection to it is used for one request.
   */
  readonly onUnaskedAnswer?: (origin: string) => void;
}

/** The HTTP port for Node. It keeps connections open until it is closed. */
export interface UndiciHttp extends HttpPort {
  /** Closes every connection. The exchanges under way, and later requests, get the fault `local`. */
  close(): Promise<void>;
}

/**
 * Creates an HTTP port over pooled connections. Throws an `OptionsError` that names each `allow` that is no range and
 * each `ca` that is no certificate; `isAddressRange` and `isCertificate` check these texts without throwing.
 */
export function createUndiciHttp(options: UndiciHttpOptions): UndiciHttp {
  const { clock, network = {}, resolve = createResolveName({ clock }), refuse, onUnaskedAnswer = ignore } = options;
  requireValidNetwork("createUndiciHttp", network);
  const newDialler = createDiallerFactory({ network, resolve, refuse });
  const afterPoll = createAfterPoll();
  const deadlines = createDeadlines(clock);
  const unasked = createUnaskedOrigins(onUnaskedAnswer);
  const nextAgeMs = createAges(network.maxConnectionAgeMs ?? CONNECTION_AGE_MS);
  const pools = createPools({
    clock,
    unasked,
    newConnection: ({ connect, origin }) =>
      createPostConnection({
        target: connect,
        dialler: newDialler(),
        afterPoll,
        clock,
        nextAgeMs,
        onUnasked: () => unasked.add(origin),
      }),
  });
  const readTarget = createReadTarget();
  const writeRequest = createWritePost();
  return {
    send(request) {
      const target = readTarget(request.url);
      // The URL could not be read. This cannot happen with checked settings. An unreadable URL names no allowed address, so
      // the fault is `forbidden-address`.
      if (target === undefined) return silent("forbidden-address");
      const bytes = writeRequest(request, target);
      if (bytes === undefined) return silent("invalid-header");
      const acquired = pools.acquire(target);
      if (acquired === undefined) return silent("local");
      return sendOnConnection(bytes, acquired, { clock, deadlines, timeoutMs: request.timeoutMs });
    },
    close: () => pools.close(),
  };
}

function ignore(): void {
  // The host did not ask for it.
}

function silent(fault: Fault): Promise<Reply> {
  return Promise.resolve({ kind: "silent", fault, afterMs: 0 });
}
