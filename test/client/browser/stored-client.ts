// A client on the storage of a browser, and what all tabs have sent.

import { WRITE_KEY } from "../../canary.js";
import type { OpenPage } from "./open-page.js";
import type { CallMade } from "./programs/call-made.js";
import type { Plan } from "./programs/call-storage.js";
import type { Rig } from "./rig.js";

export interface StoredClient {
  /** The messageIds of all batches that were answered. */
  readonly sent: readonly string[];
  /** Starts a client in another page. */
  readonly start: (page: OpenPage) => Promise<void>;
}

/** Starts a client in the page of the rig. */
export async function startClient(rig: Rig, options: Partial<Plan> = {}): Promise<StoredClient> {
  const sent: string[] = [];
  rig.page.context.on("requestfinished", (request) => {
    if (request.method() !== "POST") return;
    const { batch } = request.postDataJSON() as { batch: readonly CallMade[] };
    sent.push(...batch.map(({ messageId }) => messageId));
  });
  const start = (page: OpenPage): Promise<void> =>
    page.run("start", { writeKey: WRITE_KEY, endpoint: rig.server.url, ...options } satisfies Plan);
  await start(rig.page);
  return { sent, start };
}

export function namesOf(made: readonly CallMade[]): readonly string[] {
  return made.map(({ messageId }) => messageId).toSorted();
}
