// Asks the API for one thing again and again, until it is as a command waits for. Keeps asking if the server does not answer for a
// while, as in a restart.

import type { JsonObject } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import type { Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { type ApiAccess, askApi } from "./ask-api.js";

const ASK_EVERY_MS = 500;
/** Waiting ends after this many requests in a row without an answer, which take a minute or more. */
const MAX_UNANSWERED = 120;

/**
 * What `look` returns for the first answer for which it returns something. Undefined if the server has not answered 200 for
 * `MAX_UNANSWERED` requests in a row.
 */
export async function askUntil(
  host: Pick<Host, "clock">,
  access: ApiAccess,
  path: string,
  look: (answer: JsonObject) => JsonObject | undefined,
): Promise<JsonObject | undefined> {
  let unanswered = 0;
  while (unanswered < MAX_UNANSWERED) {
    const posted = await askApi(host, access, { method: "GET", path });
    const answer = posted.kind === "answered" && posted.status === 200 ? parseObject(posted.text) : undefined;
    unanswered = answer === undefined ? unanswered + 1 : 0;
    const found = answer && look(answer);
    if (found !== undefined) return found;
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
  return undefined;
}
