// Waits until a replay job on the server has ended, and shows its progress. Keeps asking if the server does not answer for a
// while, as in a restart.

import type { JsonObject } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { fieldOf } from "../deliveries/delivery-json.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { createProgressDisplay } from "../progress-display.js";
import { type ApiAccess, askApi } from "../requests/ask-api.js";

const ASK_EVERY_MS = 500;
/** Waiting ends after this many requests in a row without an answer, which take a minute or more. */
const MAX_UNANSWERED = 120;

/** Prints the counts of the ended job. The job goes on without this program. */
export async function awaitJob(host: Host, access: ApiAccess, id: string): Promise<ExitCode> {
  const display = createProgressDisplay(host);
  const ended = await endOf(host, access, id, (job) =>
    display.show({ doing: "replayed", done: Number(job["replayed"]), total: Number(job["expected"]) }),
  );
  display.clear();
  if (ended === undefined) {
    host.err(`postrider: the server no longer answers; it goes on with the job: see postrider replay-jobs show ${id}`);
    return 1;
  }
  host.out(
    `${fieldOf(ended, "state")}: replayed ${formatCount(ended["replayed"])}, skipped ${formatCount(ended["skipped"])}`,
  );
  return ended["state"] === "done" ? 0 : 1;
}

/** Undefined if the server has not answered for `MAX_UNANSWERED` requests in a row. */
async function endOf(
  host: Host,
  access: ApiAccess,
  id: string,
  show: (job: JsonObject) => void,
): Promise<JsonObject | undefined> {
  let unanswered = 0;
  while (unanswered < MAX_UNANSWERED) {
    const posted = await askApi(host, access, { method: "GET", path: `/api/replay-jobs/${encodeURIComponent(id)}` });
    const job = posted.kind === "answered" && posted.status === 200 ? parseObject(posted.text) : undefined;
    unanswered = job === undefined ? unanswered + 1 : 0;
    if (job !== undefined && job["state"] !== "running") return job;
    if (job !== undefined) show(job);
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
  return undefined;
}
