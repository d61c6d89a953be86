// Probes the endpoints of a destination that is not in force, by the network settings of this server. Sends no request.

import type { DraftProbeOutcome } from "@postrider/api";
import type { NetworkSettings } from "@postrider/codec";
import type { Clock, DestinationId } from "@postrider/core";
import type { CheckedSettings } from "@postrider/relay";
import { calledDestination } from "../../config/called.js";
import { probeOrigins } from "../../config/probe-origins.js";
import { MAX_DRAFT_PROBES } from "./limits.js";

export type ProbeDraft = (settings: CheckedSettings, destination: DestinationId) => Promise<DraftProbeOutcome>;

export function createDraftProbes({
  clock,
  network,
}: {
  readonly clock: Clock;
  readonly network: () => NetworkSettings;
}): ProbeDraft {
  let underWay = 0;
  return async ({ workspace: { destinations } }, wanted) => {
    const index = destinations.findIndex(({ id }) => id === wanted);
    const found = destinations[index];
    if (found === undefined) return { kind: "failed", fault: { code: "unknown-destination" } };
    if (underWay >= MAX_DRAFT_PROBES) return { kind: "failed", fault: { code: "too-many-tests" } };
    underWay += 1;
    try {
      const origins = calledDestination(found, index).endpoints.map(({ url, path }) => ({
        url: new URL(url).origin,
        path: `${path}.url`,
      }));
      return { kind: "probed", findings: await probeOrigins(origins, { clock, network: network() }) };
    } finally {
      underWay -= 1;
    }
  };
}
