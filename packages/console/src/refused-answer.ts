// The refusals of the console, by code, and whether a request comes from the console's page: browsers say from which
// site it comes. Browsers also keep the cookie from other sites; this check holds where one fails to. Refusals of the API
// come from the API.

import { errorDocs } from "@postrider/core/engine";
import { errorAnswer, type TextAnswer, type IncomingHead } from "@postrider/http";

const FROM_HERE = new Set(["same-origin", "none"]);

/** The reason for which the console refuses a request. */
type ConsoleCode = "not-logged-in" | "wrong-login" | "unsafe-login" | "forbidden" | "foreign-site";

export function refusedAnswer(status: number, code: ConsoleCode, message: string): TextAnswer {
  return errorAnswer(status, { code, message, docs: errorDocs(`http-${code}`) });
}

/** 403: the request does not come from the page. */
export function foreignAnswer(): TextAnswer {
  const message =
    "only the page of the console may ask this, and change something only with Content-Type: application/json";
  return refusedAnswer(403, "foreign-site", message);
}

/** True if data may be read: no other site asks. */
export function isOwnRead({ headers }: IncomingHead): boolean {
  const site = headers.get("sec-fetch-site");
  return site === undefined || FROM_HERE.has(site);
}

/** True if something may be changed: the page itself asks, by a script, since a form cannot send JSON. */
export function isOwnWrite({ headers }: IncomingHead): boolean {
  const site = headers.get("sec-fetch-site");
  const isFromPage = site === undefined ? hasOwnOrigin(headers) : site === "same-origin";
  return isFromPage && /^application\/json(;|$)/i.test(headers.get("content-type") ?? "");
}

/** Older browsers tell no site, but the origin of each change. */
function hasOwnOrigin(headers: IncomingHead["headers"]): boolean {
  const [origin = "", host] = [headers.get("origin"), headers.get("host")];
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
