// Probes the endpoints of a destination that is not in force, by the network settings of this server, and says no more than a delivery
// would. Each probe is logged, since it tells which ports are open. Sends no request.

import type { DraftProbeOutcome } from "@postrider/api";
import type { NetworkSettings } from "@postrider/codec";
import type { Clock, DestinationId } from "@postrider/core";
import type { CheckedSettings, Logger } from "@postrider/relay";
import type { ListenAddress } from "@postrider/undici";
import { calledDestination } from "../../config/called.js";
import { probeOrigins } from "../../config/probe-origins.js";
import { createAtMost } from "../../timing/at-most.js";
import { MAX_DRAFT_PROBES } from "./limits.js";

export type ProbeDraft = (settings: CheckedSettings, destination: DestinationId) => Promise<DraftProbeOutcome>;

export interface DraftProbeOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly network: () => NetworkSettings;
  /** Where this server listens. */
  readonly refuse: () => readonly ListenAddress[];
}

export function createDraftProbes({ clock, logger, network, refuse }: DraftProbeOptions): ProbeDraft {
  const atMost = createAtMost(MAX_DRAFT_PROBES);
  return async ({ workspace: { destinations } }, wanted) => {
    const index = destinations.findIndex(({ id }) => id === wanted);
    const found = destinations[index];
    if (found === undefined) return { kind: "failed", fault: { code: "unknown-destination" } };
    const origins = calledDestination(found, index).endpoints.map(({ url, path }) => ({
      url: new URL(url).origin,
      path: `${path}.url`,
    }));
    const findings = await atMost(() => {
      logger.log("info", { code: "endpoints-probed", detail: origins.map(({ url }) => url).join(", ") });
      return probeOrigins(origins, { clock, network: network(), refuse, showsAddresses: false });
    });
    return findings === undefined
      ? { kind: "failed", fault: { code: "too-many-tests" } }
      : { kind: "probed", findings };
  };
}
