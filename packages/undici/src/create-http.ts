// The HTTP port on Node: gives each request a connection to its origin and sends it there. Decides nothing else.

import type { Clock, Fault, HttpPort, Reply } from "@postrider/core";
import { createDiallers } from "./dial.js";
import { type Network, requireNetwork } from "./network.js";
import type { ListenAddress } from "./own-address.js";
import { createPools } from "./pools.js";
import { createReadTarget } from "./read-target.js";
import type { ResolveName } from "./resolve-name.js";
import { sendOnConnection } from "./send.js";

export interface UndiciHttpOptions {
  readonly clock: Clock;
  /** Allowed addresses and trusted authorities. If absent, only the public internet and the public authorities. */
  readonly network?: Network;
  /** Resolves names. If absent, DNS, then the system's resolver. The resolved addresses are checked in any case. */
  readonly resolve?: ResolveName;
  /** Addresses on which the host listens. Never connected to, even if allowed. Read at each dial; none if absent. */
  readonly refuse?: () => readonly ListenAddress[];
}

export interface UndiciHttp extends HttpPort {
  /** Closes every connection. The exchanges under way, and later requests, get the fault `local`. */
  close(): Promise<void>;
}

/**
 * An HTTP port over undici's connections. Throws an `OptionsError` that names each `allow` that is no range and each `ca` that
 * is no certificate; `isAddressRange` and `isCertificate` check them without throwing.
 */
export function createUndiciHttp({ clock, network = {}, resolve, refuse }: UndiciHttpOptions): UndiciHttp {
  requireNetwork("createUndiciHttp", network);
  const pools = createPools({ clock, newDialler: createDiallers({ network, resolve, refuse }) });
  const read = createReadTarget();
  return {
    send(request) {
      const target = read(request.url);
      // Checked settings have no such URL, but a caller may pass one without checking. It has no address that is allowed.
      if (target === undefined) return silent("forbidden-address");
      const connection = pools.acquire(target.origin);
      return connection === undefined ? silent("local") : sendOnConnection(request, target.path, { clock, connection });
    },
    close: () => pools.close(),
  };
}

function silent(fault: Fault): Promise<Reply> {
  return Promise.resolve({ kind: "silent", fault, afterMs: 0 });
}
