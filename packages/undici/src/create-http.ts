// The HTTP port on Node: gives each request a connection to its origin and sends it there. Decides nothing else.

import type { Clock, Fault, HttpPort, Reply } from "@postrider/core";
import { createDialler } from "./dial.js";
import type { ListenAddress } from "./own-address.js";
import { createPools } from "./pools.js";
import { createReadTarget } from "./read-target.js";
import type { Resolve } from "./resolve-name.js";
import { send } from "./send.js";
import type { Network } from "./vet-address.js";

export interface UndiciHttpOptions {
  readonly clock: Clock;
  /** Which addresses may be reached, and who vouches for receivers; the public internet and its authorities if absent. */
  readonly network?: Network;
  /** Where names lead; DNS, and then the system's own files, if absent. Its answers are vetted as well. */
  readonly resolve?: Resolve;
  /** Where the host itself listens, asked at each dial: never reached, whatever is allowed. Nowhere if absent. */
  readonly refuse?: () => readonly ListenAddress[];
}

export interface UndiciHttp extends HttpPort {
  /** Ends what is under way (as `local`) and every connection. What is sent later is answered `local`. */
  close(): Promise<void>;
}

/** An HTTP port over undici's connections. Throws on an `allow` that is no range and a `ca` that is no certificate. */
export function createUndiciHttp({ clock, network = {}, resolve, refuse }: UndiciHttpOptions): UndiciHttp {
  const pools = createPools({ clock, openLine: createDialler({ network, resolve, refuse }) });
  const read = createReadTarget();
  return {
    send(request) {
      const target = read(request.url);
      // Settings hold no such URL. A relay of another kind may: there is no address that it may lead to.
      if (target === undefined) return silent("forbidden-address");
      const place = pools.enter(target.origin);
      return place === undefined ? silent("local") : send(request, target.path, { clock, place });
    },
    close: () => pools.close(),
  };
}

function silent(fault: Fault): Promise<Reply> {
  return Promise.resolve({ kind: "silent", fault, afterMs: 0 });
}
