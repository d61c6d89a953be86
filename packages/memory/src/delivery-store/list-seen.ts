// Lists the dedupe entries of a message id, of one source or of all sources.

import type { EpochMs, SeenMessage, SeenQuery } from "@postrider/core";
import type { Contents } from "./contents.js";
import { recall } from "./dedupe.js";

export function listSeen(contents: Contents, { messageId, source }: SeenQuery, now: EpochMs): readonly SeenMessage[] {
  const sources = source === undefined ? [...contents.counts.keys()] : [source];
  return sources.flatMap((of) => recall(contents.seen, { source: of, messageId }, now) ?? []);
}
