// Puts new settings in force while deliveries go on: all of them in one step, so that no call and no round sees only a part.

import type { Config } from "@postrider/relay/settings";
import type { Problem } from "@postrider/core";
import { runSteps } from "@postrider/core/engine";
import type { AdoptedRevision } from "@postrider/relay";
import type { ConfigProblem } from "../config/config-problem.js";
import { logWarnings } from "../config/config-warning.js";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import { runInSlices, stepsWhileWanted } from "../timing/run-in-slices.js";
import { isSameSender } from "./sender-http.js";
import type { DeliveryParts } from "./delivery-parts.js";

/** `superseded`: a later config was given. `stopped`: the relay is being stopped. Only `configured` changes anything. */
export type ConfigureResult =
  | { readonly kind: "configured" }
  | { readonly kind: "superseded" | "stopped" }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

export interface Reconfigurer {
  /** Puts a config in force at once, or returns the reasons against it. */
  atOnce(config: Config): readonly Problem[];
  /** Checks a config in slices, then puts it in force. A later config supersedes one that is not in force yet. */
  inSlices(config: Config, adopted?: AdoptedRevision): Promise<ConfigureResult>;
  /** Ends changes in slices: from then on, `inSlices` puts nothing in force. */
  end(): void;
}

export type ReconfiguredParts = Pick<
  DeliveryParts,
  "relay" | "http" | "createHttp" | "vetsAddresses" | "settings" | "clock" | "logger"
>;

export function createReconfigurer(parts: ReconfiguredParts): Reconfigurer {
  let isEnded = false;
  /** The latest config that was given. */
  let latestConfig = parts.settings.config;

  return {
    atOnce: (config) => {
      const prepared = runSteps(prepareConfig(config, parts.vetsAddresses));
      if (prepared.kind === "refused") return prepared.problems;
      latestConfig = config;
      putInForce(parts, prepared);
      return [];
    },
    inSlices: async (config, adopted) => {
      latestConfig = config;
      const isWanted = (): boolean => !isEnded && latestConfig === config;
      const prepared = await runInSlices(
        stepsWhileWanted(prepareConfig(config, parts.vetsAddresses), isWanted),
        parts.clock,
      );
      if (prepared === undefined || !isWanted()) return { kind: isEnded ? "stopped" : "superseded" };
      if (prepared.kind === "refused") return prepared;
      putInForce(parts, prepared, adopted);
      return { kind: "configured" };
    },
    end: () => {
      isEnded = true;
    },
  };
}

function putInForce(
  parts: ReconfiguredParts,
  { config, settings, warnings }: PreparedConfig,
  adopted?: AdoptedRevision,
): void {
  const { relay, http, createHttp, logger } = parts;
  const { server } = config;
  // If the settings of the sender are equal, open connections are kept.
  const nextHttp = isSameSender(server, parts.settings.config.server) ? undefined : createHttp(server);
  relay.configure(settings, adopted).match(nothing, nothing);
  if (nextHttp !== undefined) http.replace(nextHttp);
  parts.settings.config = config;
  logWarnings(warnings, logger);
}

function nothing(): void {
  // Prepared settings have been checked: the relay does not refuse them.
}
