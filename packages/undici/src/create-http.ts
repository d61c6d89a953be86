// The HTTP port on Node: gives each request a connection to its origin and sends it there. Decides nothing else.

import type { Clock, Fault, HttpPort, Reply } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { createAfterPoll } from "./after-poll.js";
import { createPostConnection } from "./connection.js";
import { createDiallerFactory } from "./dial.js";
import { type Network, requireValidNetwork } from "./network.js";
import type { ListenAddress } from "./own-address.js";
import { createPools } from "./pools.js";
import { createReadTarget } from "./read-target.js";
import { createResolveName, type ResolveName } from "./resolve-name.js";
import { sendOnConnection } from "./send.js";
import { createWritePost } from "./write-request.js";

/** The options of `createUndiciHttp`. */
export interface UndiciHttpOptions {
  readonly clock: Clock;
  /** Allowed addresses and trusted authorities. If absent, only the public internet and the public authorities. */
  readonly network?: Network;
  /** Resolves names. If absent, as the system would. The addresses are checked in any case. */
  readonly resolve?: ResolveName;
  /** Returns the addresses on which the host listens, which are never dialled, even if allowed. Called at each dial. */
  readonly refuse?: () => readonly ListenAddress[];
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
export function createUndiciHttp({
  clock,
  network = {},
  resolve = createResolveName({ clock }),
  refuse,
}: UndiciHttpOptions): UndiciHttp {
  requireValidNetwork("createUndiciHttp", network);
  const newDialler = createDiallerFactory({ network, resolve, refuse });
  const afterPoll = createAfterPoll();
  const deadlines = createDeadlines(clock);
  const pools = createPools({
    clock,
    newConnection: ({ connect }) => createPostConnection({ target: connect, dialler: newDialler(), afterPoll }),
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

function silent(fault: Fault): Promise<Reply> {
  return Promise.resolve({ kind: "silent", fault, afterMs: 0 });
}
