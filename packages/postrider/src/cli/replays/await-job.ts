// Waits until a replay job on the server has ended, and shows its progress.

import { fieldOf } from "../deliveries/delivery-json.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { createProgressDisplay } from "../progress-display.js";
import type { ApiAccess } from "../requests/ask-api.js";
import { askUntil } from "../requests/ask-until.js";

/** Prints the counts of the ended job. The job goes on without this program. */
export async function awaitJob(host: Host, access: ApiAccess, id: string): Promise<ExitCode> {
  const display = createProgressDisplay(host);
  const ended = await askUntil(host, access, `/api/replay-jobs/${encodeURIComponent(id)}`, (job) => {
    if (job["state"] !== "running") return job;
    display.show({ doing: "replayed", done: Number(job["replayed"]), total: Number(job["expected"]) });
    return undefined;
  });
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
