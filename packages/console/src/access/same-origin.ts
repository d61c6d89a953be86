// Whether a request comes from the console's page: browsers say from which site a request comes, and pages of other sites cannot
// change what they say. The cookie is not sent from other sites either; this holds also where a browser forgets that.

import type { IncomingHead } from "@postrider/http";

const FROM_HERE = new Set(["same-origin", "none"]);

/** Whether data may be read: no other site asks. */
export function isOwnRead({ headers }: IncomingHead): boolean {
  const site = headers.get("sec-fetch-site");
  return site === undefined || FROM_HERE.has(site);
}

/** Whether something may be changed: the page itself asks, by a script, since a form cannot send JSON. */
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
