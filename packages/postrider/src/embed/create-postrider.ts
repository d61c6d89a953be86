// Makes an embedded Postrider: reads the options, opens a store, connects the parts and starts to deliver. What each part
// does is decided elsewhere.

import { isUpload } from "@postrider/api";
import { createOptionsError } from "@postrider/core/engine";
import { createNodeListener, createWebHandler } from "@postrider/http";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createDeliveryParts, type DeliveryParts } from "../assembly/delivery-parts.js";
import { createFront } from "../assembly/front.js";
import { createReconfigurer } from "../assembly/reconfigure.js";
import { createSourceCalls } from "../assembly/source-calls.js";
import { logWarnings } from "../config/config-warning.js";
import { closeParts } from "./close-parts.js";
import { createObservers, type Observers } from "./observers.js";
import { storesOf } from "./open-stores.js";
import type { Postrider, PostriderOptions } from "./postrider.js";
import { networkProblems, prepareOptions, readSettings, requireObject } from "./read-options.js";
import { createStderrLogger } from "./stderr-logger.js";

const CLOSE_MS = 10_000;

/**
 * Creates a Postrider inside this process and starts to deliver. Rejects with an `OptionsError` that names every wrong
 * setting, and a store that cannot be opened; nothing is left open then.
 */
export async function createPostrider<const SourceName extends string>(
  options: PostriderOptions<SourceName>,
): Promise<Postrider<SourceName>> {
  requireObject(options);
  const { clock = createSystemClock(), random = createSystemRandom() } = options;
  const logger = options.logger ?? createStderrLogger(clock);
  const prepared = await prepareOptions(options, clock);
  const stores = await storesOf(options, prepared.config.server.store, logger);
  const observers = createObservers(options.observe);
  const { http } = options;
  const parts = createDeliveryParts({ prepared, stores, http, clock, random, logger, observe: observers.tell });
  logWarnings(prepared.warnings, logger);
  parts.relay.start();
  return embed(parts, observers, options);
}

function embed(
  parts: DeliveryParts,
  observers: Observers,
  { http, basePath, closeMs = CLOSE_MS }: PostriderOptions,
): Postrider {
  const { relay, clock } = parts;
  const front = createFront(parts);
  const mount = { isStreamed: isUpload, basePath };
  const reconfigurer = createReconfigurer(parts);
  let closed: Promise<void> | undefined;

  function close(): Promise<void> {
    reconfigurer.end();
    closed ??= closeParts(parts, closeMs);
    return closed;
  }

  return {
    ...createSourceCalls(relay),
    nodeListener: createNodeListener(front, {
      ...mount,
      trustedProxies: () => parts.settings.config.server.trustedProxies,
    }),
    fetch: createWebHandler(front, mount),
    relay,
    health: () => relay.health(),
    configure: async (settings) => {
      const others = networkProblems(http, settings.network);
      const config = await readSettings("postrider.configure", { settings, others }, clock);
      const configured = await reconfigurer.inSlices(config);
      if (configured.kind === "refused") throw createOptionsError("postrider.configure", configured.problems);
    },
    observe: (listener) => observers.add(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}
