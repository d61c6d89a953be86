// The cookie of a session, and where it may be set: over TLS, or from this machine itself. A browser that loaded the page in
// plain text over a network would send the cookie in plain text too (decision: console sessions).

import type { IncomingHead } from "@postrider/http";
import { SESSION_MS } from "../limits.js";

/** Browsers keep a cookie with the first name only for one host and TLS. */
const SECURE = "__Host-postrider";
const PLAIN = "postrider";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The sessions in the cookies of a request: none, or one of each name. */
export function sessionsIn({ headers }: IncomingHead): readonly string[] {
  const cookies = new Map(
    (headers.get("cookie") ?? "").split(/[;,]/).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  return [cookies.get(SECURE), cookies.get(PLAIN)].filter((session) => session !== undefined);
}

/** `plain`: over HTTP from a loopback address. `unsafe`: over HTTP from elsewhere. */
export type LoginPlace = "secure" | "plain" | "unsafe";

/** Where a login comes from, by the `Origin` that the browser tells with it. */
export function loginPlaceOf({ headers }: IncomingHead): LoginPlace {
  const origin = headers.get("origin") ?? "";
  const { protocol, hostname } = URL.canParse(origin) ? new URL(origin) : { protocol: "", hostname: "" };
  if (protocol === "https:") return "secure";
  return LOOPBACK.test(hostname) ? "plain" : "unsafe";
}

/** The `Set-Cookie` that begins a session, or ends it with a session of ''. In plain text it is for the paths of the console alone. */
export function cookieOf(session: string, isSecure: boolean, root: string): string {
  const name = isSecure ? `${SECURE}=${session}; Secure; Path=/` : `${PLAIN}=${session}; Path=${root}`;
  const seconds = session === "" ? 0 : SESSION_MS / 1_000;
  return `${name}; HttpOnly; SameSite=Strict; Max-Age=${String(seconds)}`;
}
