// Builds the POST for one endpoint: its headers, their order, and the signatures (spec, webhook destination §4; decision:
// accept header). The body is sent as it is stored.

import type { Body, EndpointId } from "../ids.js";
import type { HttpRequest } from "../http/request.js";
import { type Secret, revealValue } from "../settings/secret.js";
import type { Header, StaticHeader } from "../settings/workspace.js";
import { signBody } from "./sign-body.js";
import { signStandardWebhook, type StandardWebhook } from "./sign-standard-webhook.js";

/** The product token. Its version is fixed at 1.0, not that of this package (spec, webhook destination §9). */
export const USER_AGENT = "Postrider/1.0";

/** An endpoint with everything that its request needs besides the body. */
export interface RequestTarget {
  readonly endpoint: EndpointId;
  readonly headers: readonly StaticHeader[];
  /** Newest first. X-Signature is made with the newest; without secrets the request is not signed. */
  readonly secrets: readonly Secret[];
  /** If present, the headers of Standard Webhooks are added, signed with every secret. */
  readonly standardWebhook?: StandardWebhook;
  readonly timeoutMs: number;
}

/** The request that sends a body to an endpoint. */
export function buildRequest(body: Body, target: RequestTarget): HttpRequest {
  return {
    url: target.endpoint,
    headers: [
      ["User-Agent", USER_AGENT],
      ["Content-Type", "application/json"],
      ["Accept-Encoding", "identity"],
      ...acceptHeader(target.headers),
      ...signatureHeaders(body, target),
      ...target.headers.map(([name, value]): Header => [name, revealValue(value)]),
    ],
    body,
    timeoutMs: target.timeoutMs,
  };
}

/** Any type of answer is accepted, unless a static header of the operator sets `Accept`. */
function acceptHeader(headers: readonly StaticHeader[]): readonly Header[] {
  return headers.some(([name]) => name.toLowerCase() === "accept") ? [] : [["Accept", "*/*"]];
}

function signatureHeaders(body: Body, { secrets, standardWebhook }: RequestTarget): readonly Header[] {
  const [newest] = secrets;
  if (newest === undefined) return [];
  const signature: Header = ["X-Signature", signBody(newest.reveal(), body)];
  if (standardWebhook === undefined) return [signature];
  return [signature, ...signStandardWebhook(secrets, standardWebhook, body)];
}
