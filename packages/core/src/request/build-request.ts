// Builds the POST for one endpoint: whose headers, in which order, signed or not (spec, webhook destination §4; decision:
// what is accepted). The body goes out as it is stored.

import type { Body, EndpointId } from "../ids.js";
import type { HttpRequest } from "../http/request.js";
import type { Secret } from "../settings/secret.js";
import { revealValue } from "../settings/static-header.js";
import type { Header, StaticHeader } from "../settings/workspace.js";
import { signBody } from "./sign-body.js";
import { signStandardWebhook, type StandardWebhook } from "./sign-standard-webhook.js";

/** The product token, whatever the version of this package (spec, webhook destination §9). */
export const USER_AGENT = "Postrider/1.0";

export interface Addressed {
  readonly endpoint: EndpointId;
  readonly headers: readonly StaticHeader[];
  /** Newest first. The newest makes X-Signature; none leaves the request unsigned. */
  readonly secrets: readonly Secret[];
  /** Asks for the headers of Standard Webhooks as well, signed with every secret. */
  readonly standardWebhook?: StandardWebhook;
  readonly timeoutMs: number;
}

/** The request that carries a body to an endpoint. */
export function buildRequest(body: Body, to: Addressed): HttpRequest {
  return {
    url: to.endpoint,
    headers: [
      ["User-Agent", USER_AGENT],
      ["Content-Type", "application/json"],
      ["Accept-Encoding", "identity"],
      ...accepting(to.headers),
      ...signatures(body, to),
      ...to.headers.map(([name, value]): Header => [name, revealValue(value)]),
    ],
    body,
    timeoutMs: to.timeoutMs,
  };
}

/** Any answer will do; an operator who asks for a kind of answer is left to ask for it alone. */
function accepting(headers: readonly StaticHeader[]): readonly Header[] {
  return headers.some(([name]) => name.toLowerCase() === "accept") ? [] : [["Accept", "*/*"]];
}

function signatures(body: Body, { secrets, standardWebhook }: Addressed): readonly Header[] {
  const [newest] = secrets;
  if (newest === undefined) return [];
  const signature: Header = ["X-Signature", signBody(newest.reveal(), body)];
  if (standardWebhook === undefined) return [signature];
  return [signature, ...signStandardWebhook(secrets, standardWebhook, body)];
}
