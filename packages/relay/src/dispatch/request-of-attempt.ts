// Builds the request that sends a body to one endpoint of a destination in force, as the settings say. Must not know what is
// sent, nor what a reply means.

import type { Body, EndpointId, EpochMs, HttpRequest } from "@postrider/core";
import { buildRequest } from "@postrider/core/engine";
import type { DestinationInForce, SettingsInForce } from "../state/settings-in-force.js";

export interface AttemptTarget {
  readonly inForce: DestinationInForce;
  readonly endpoint: EndpointId;
}

export interface AttemptContent {
  readonly body: Body;
  /** The id of a Standard Webhook; asked for only if the destination has its headers. */
  readonly webhookId: () => string;
  /** When the attempt starts. */
  readonly at: EpochMs;
}

/** The request of one attempt. */
export function requestOfAttempt(
  settings: Pick<SettingsInForce, "workspace">,
  { inForce: { destination, headers }, endpoint }: AttemptTarget,
  { body, webhookId, at }: AttemptContent,
): HttpRequest {
  const isStandard = destination.standardWebhooks === true;
  return buildRequest(body, {
    endpoint,
    headers: headers.get(endpoint) ?? [],
    secrets: destination.secrets,
    timeoutMs: settings.workspace().delivery.timeoutMs,
    ...(isStandard ? { standardWebhook: { id: webhookId(), at } } : {}),
  });
}
