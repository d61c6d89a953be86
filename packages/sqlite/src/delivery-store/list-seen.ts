// What is seen under a message id, of one source or of all that ever were.

import type { EpochMs, SeenMessage, SeenQuery, SourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { sourcesOf } from "./find-by-message-id.js";
import type { Recalled, Dedupe } from "./dedupe/dedupe.js";

export type ListSeen = (query: SeenQuery, now: EpochMs) => readonly SeenMessage[];

export function prepareListSeen(database: SqliteDatabase, dedupe: Pick<Dedupe, "recall">): ListSeen {
  return ({ messageId, source: asked }, now) => {
    const sources = asked === undefined ? sourcesOf(database) : [asked];
    return sources.flatMap((source) => {
      const recalled = dedupe.recall({ source, messageId }, now);
      return recalled === undefined ? [] : [describe(source as SourceId, recalled)];
    });
  };
}

/** Of an id that a file of an earlier version had seen, it is not known which deliveries came. */
function describe(source: SourceId, { at, after, upTo }: Recalled): SeenMessage {
  return { source, seenAt: at, ...(upTo < after ? {} : { deliveries: upTo - after }) };
}
