// The status of each code of the API, and when it is answered: the table of docs/http-api.md, which a test compares. Does not know
// which route refuses by which code.

import type { ApiCode } from "../refuse.js";

interface RefusalRow {
  readonly status: number;
  /** As in the table of docs/http-api.md. */
  readonly when: string;
}

export const REFUSALS: Readonly<Record<ApiCode, RefusalRow>> = {
  "bad-query": { status: 400, when: "a filter that does not exist, a missing one, twice one, a bad value" },
  "bad-json": { status: 400, when: "the body is no JSON" },
  "too-deep": { status: 400, when: "the body nests deeper than 256 levels" },
  "bad-replay": { status: 400, when: "the body of a replay has a bad, an unknown or a missing field" },
  "bad-deletion": { status: 400, when: "the same of a deletion; more than 5,000 users; an unknown source" },
  "bad-audience": { status: 400, when: "the same of an audience; a name with no letter and no digit" },
  "bad-members": { status: 400, when: "the upload is no list of members, or broke off: nothing has changed" },
  "bad-test": { status: 400, when: "the body of a test event is wrong, or its call would be refused" },
  "bad-config": { status: 422, when: "the config that was read again has problems: nothing has changed" },
  "bad-settings": { status: 422, when: "settings that were to be put or checked have problems: nothing has changed" },
  unauthorized: { status: 401, when: "no token, or a wrong one; with `WWW-Authenticate: Bearer`" },
  "rate-limited": { status: 429, when: "this token is wrong, as were too many of this address; see `Retry-After`" },
  "api-off": { status: 403, when: "the config has no `apiToken`" },
  "not-found": { status: 404, when: "no such delivery, request, job, audience or destination, or path" },
  "method-not-allowed": { status: 405, when: "with `Allow`" },
  "not-finished": { status: 409, when: "only what is delivered or dead can be replayed" },
  purged: { status: 409, when: "the body of the delivery is gone" },
  "destination-removed": { status: 409, when: "its destination is not in the settings" },
  "destination-in-force": { status: 409, when: "what waits for a destination of the settings is not forgotten" },
  "not-probed": { status: 409, when: "the lane is neither held nor blocked" },
  "too-many-jobs": { status: 409, when: "1,000 replay jobs are running" },
  "key-taken": { status: 409, when: "another audience has the key that the name leads to" },
  "sync-running": { status: 409, when: "the sync before of this audience is still under way" },
  "would-remove": { status: 409, when: "more than half of an audience of 20 or more would leave" },
  "settings-in-file": {
    status: 409,
    when: "settings cannot be put, since those of this server are in its config file",
  },
  "stale-revision": { status: 412, when: "the settings have changed since the revision of `If-Match`" },
  "revision-required": { status: 428, when: "settings are put without `If-Match`" },
  "too-large": { status: 413, when: "the body is over 512,000 bytes; a list of members has no bound" },
  "unsupported-encoding": { status: 415, when: "`Content-Encoding` names another than gzip; with `Accept-Encoding`" },
  internal: { status: 500, when: "a bug in Postrider" },
  "not-supported": { status: 501, when: "the store of this server does not support users, audiences and so on" },
  overloaded: { status: 503, when: "there is no room for the body, a test, a reader or an export; with `Retry-After`" },
  "store-unavailable": { status: 503, when: "the store does not answer now; with `Retry-After`" },
};

/** The codes by which every route that asks for a token may refuse. */
export const ANY_ROUTE: readonly ApiCode[] = ["unauthorized", "api-off", "rate-limited", "internal"];

/** The codes by which a route refuses a body that cannot be read. */
export const UNREAD_BODY: readonly ApiCode[] = ["too-large", "unsupported-encoding", "overloaded"];

/** The codes by which a route refuses a body that is no JSON. */
export const UNREAD_JSON: readonly ApiCode[] = ["bad-json", "too-deep", ...UNREAD_BODY];

/** The headers that tell a caller what to do next, by status. */
export const REFUSAL_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  415: ["Accept-Encoding"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};
