// Decides how an endpoint is shown in logs and answers: the values of its query are hidden, since such values often are keys.

import type { EndpointId } from "../ids.js";

/** The URL to show, such as `https://example.com/hook?token=***`. A part of the query without `=` is hidden as a whole. */
export function maskEndpoint(endpoint: EndpointId): string {
  const at = endpoint.indexOf("?");
  if (at === -1) return endpoint;
  const fields = endpoint.slice(at + 1).split("&");
  return `${endpoint.slice(0, at)}?${fields.map(maskField).join("&")}`;
}

function maskField(field: string): string {
  const at = field.indexOf("=");
  return at === -1 ? "***" : `${field.slice(0, at)}=***`;
}
