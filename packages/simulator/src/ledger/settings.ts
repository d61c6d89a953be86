// Records the changes of settings, and checks that each request goes where the settings of its process say, signed with the secret
// that they have. Decides for how long after a change the ledger cannot tell which settings a process has decided by.

import { type DestinationId, type EndpointId, type Header, signBody, type Workspace } from "@postrider/core";
import type { SimulatedChange } from "../simulation.js";
import { observeThaw } from "./fleet/claims.js";
import { type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import { observeOff } from "./syncs.js";

/** To be called when a machine has learnt of a change. */
export function observeSettings(ledger: Ledger, { destinations }: Workspace, change: SimulatedChange): void {
  const idsInForce = new Set(destinations.filter(({ enabled }) => enabled).map(({ id }) => id));
  const lane = laneOf(ledger, change.destination as DestinationId);
  lane.changedAt = ledger.clock.monotonic();
  observeOff(ledger, new Set([...ledger.destinations].filter((id) => !idsInForce.has(id))));
  observeThaw(ledger);
}

/** True if the settings of the lane may have been others when the round of a delivery began than they are now. */
export function hasChangedSince(ledger: Ledger, { lane, sent }: KnownDelivery): boolean {
  const beganAt = sent.at(-1)?.sentAt ?? 0;
  return laneOf(ledger, lane).changedAt >= beganAt - ledger.policy.leaseMs;
}

/** A request as its receiver gets it. */
export interface ArrivedRequest {
  readonly lane: DestinationId;
  readonly endpoint: EndpointId;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** The settings of the process that sends it. */
  readonly settings: Workspace;
}

/** Checks the address and the signature of a request. The endpoints are those of its destination, as the settings have them. */
export function checkBySettings(
  ledger: Ledger,
  delivery: KnownDelivery,
  { lane, endpoint, headers, body, settings }: ArrivedRequest,
  endpoints: readonly EndpointId[],
): void {
  if (!endpoints.includes(endpoint))
    reportBroken(
      ledger,
      "by-the-settings",
      `${nameOf(delivery)} was sent to ${endpoint}, which is no endpoint of ${lane}`,
    );
  const [secret] = settings.destinations.find(({ id }) => id === lane)?.secrets ?? [];
  const signature = headers.find(([name]) => name === "X-Signature")?.[1];
  if (signature !== (secret === undefined ? undefined : signBody(secret.reveal(), body)))
    reportBroken(ledger, "by-the-settings", `${nameOf(delivery)} was not signed with the secret of ${lane}`);
}
