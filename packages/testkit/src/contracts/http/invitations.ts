// What answers ask for, as statuses and headers.

import type { OutgoingHttpHeaders } from "node:http";

/** A status and headers that ask for something. */
export type Invitation = readonly [status: number, headers: OutgoingHttpHeaders];

/** To go to another place, which is a separate receiver. */
export function elsewhere(there: string): readonly Invitation[] {
  const moved = [300, 301, 302, 303, 304, 305, 307, 308].map((status): Invitation => [status, { Location: there }]);
  return [
    ...moved,
    [201, { Location: there, "Content-Location": there }],
    [200, { Refresh: `0; url=${there}` }],
    [500, { Refresh: `0; url=${there}`, Location: there }],
    [500, { Link: `<${there}>; rel=preload, <${there}>; rel=preconnect` }],
    [200, { "Alt-Svc": `http/1.1="${new URL(there).host}"; ma=3600` }],
    [503, { "Content-Location": there, "Alt-Svc": `h2="${new URL(there).host}"` }],
  ];
}

/** To try once more, at once or in another way. */
export const AGAIN: readonly Invitation[] = [
  [401, { "WWW-Authenticate": 'Basic realm="here"' }],
  [408, { Connection: "close" }],
  [409, {}],
  [412, {}],
  [417, {}],
  [425, { "Retry-After": "0" }],
  [426, { Upgrade: "h2c", Connection: "Upgrade" }],
  [429, { "Retry-After": "0" }],
  [449, {}],
  [500, {}],
  [502, {}],
  [503, { "Retry-After": "0" }],
  [504, {}],
  [511, {}],
];

/** To be remembered. */
export const KEEPSAKES: OutgoingHttpHeaders = {
  "Set-Cookie": ["a=1; Path=/; Max-Age=3600", "b=2"],
  ETag: '"one"',
  "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT",
  "Cache-Control": "public, max-age=3600, immutable",
  "Strict-Transport-Security": "max-age=3600",
  "Accept-CH": "Sec-CH-UA, Downlink",
  "WWW-Authenticate": 'Basic realm="here"',
};
