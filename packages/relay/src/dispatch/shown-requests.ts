// The requests by which a delivery would go out now, to be shown: as an attempt would build them, without the values of static
// headers, which often are secrets. Sends nothing.

import type { Body, Clock, DeliveryRecord, EndpointId, HttpRequest } from "@postrider/core";
import { webhookId } from "@postrider/core/engine";
import type { DestinationInForce, SettingsInForce } from "../state/settings-in-force.js";
import { requestOfAttempt } from "./request-of-attempt.js";

/** The requests of a delivery, one for each endpoint, or why there is none. The value of a static header is `***`. */
export type ShownRequests =
  | { readonly kind: "shown"; readonly requests: readonly HttpRequest[] }
  | { readonly kind: "purged" | "destination-removed" };

interface ShownRequestsContext {
  readonly settings: Pick<SettingsInForce, "destination" | "workspace">;
  readonly clock: Pick<Clock, "wall">;
}

/** The requests as they would be sent at this time, whether or not the delivery waits. */
export function showRequests({ settings, clock }: ShownRequestsContext, record: DeliveryRecord): ShownRequests {
  const found = settings.destination(record.destination);
  if (found === undefined) return { kind: "destination-removed" };
  if (record.body === undefined) return { kind: "purged" };
  const inForce = withoutValues(found);
  const content = {
    // Safe cast: what a record has is the body that was stored.
    body: record.body as Body,
    webhookId: () => webhookId(record.source, record.messageId),
    at: clock.wall(),
  };
  const show = (endpoint: EndpointId): HttpRequest => requestOfAttempt(settings, { inForce, endpoint }, content);
  return { kind: "shown", requests: inForce.endpoints.map(show) };
}

function withoutValues({ headers, ...inForce }: DestinationInForce): DestinationInForce {
  const hidden = [...headers].map(
    ([endpoint, all]) => [endpoint, all.map(([name]) => [name, "***"] as const)] as const,
  );
  return { ...inForce, headers: new Map(hidden) };
}
