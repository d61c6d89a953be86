// What a viewer may ask of the API: all that changes nothing and shows no content of a message. Paths are those of the API.

import type { RequestHead } from "@postrider/http";
import type { ConsoleUser } from "../access/console-user.js";

/** Requests that have a body and change nothing. */
const READS_WITH_BODY = new Set(["/api/replay-jobs/preview", "/api/settings/check"]);

/** A check tells which variables and files of secrets a server has. */
const CHECK = "/api/settings/check";

/** What is held of a user, and the requests of a delivery: both have the content of messages. */
const CONTENT = [/^\/api\/users\/[^/]+\/export$/, /^\/api\/deliveries\/[^/]+\/requests$/];

/** Whether a request changes nothing. */
export function isRead({ method, path }: RequestHead): boolean {
  return method === "GET" || method === "HEAD" || (method === "POST" && READS_WITH_BODY.has(path));
}

/** Whether the answer shows the content of messages. */
export function showsContent({ path }: RequestHead): boolean {
  return CONTENT.some((one) => one.test(path));
}

/** Whether the role of a user allows a request. */
export function isAllowed({ role }: ConsoleUser, request: RequestHead): boolean {
  return role === "operator" || (isRead(request) && request.path !== CHECK);
}
