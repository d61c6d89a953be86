// Lists the dedupe entries of a message id, of one source or of all sources.

import { type EpochMs, type SeenMessage, type SeenQuery, type SourceId, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { sourcesOf } from "./find-by-message-id.js";
import type { RecalledEntry, Dedupe } from "./dedupe/dedupe.js";

export type ListSeen = (query: SeenQuery, now: EpochMs) => readonly SeenMessage[];

export function prepareListSeen(database: SqliteDatabase, dedupe: Pick<Dedupe, "recall">): ListSeen {
  return ({ messageId, source: asked }, now) => {
    const sources = asked === undefined ? sourcesOf(database) : [asked];
    return sources.flatMap((source) => {
      const recalled = dedupe.recall({ source, messageId }, now);
      return recalled === undefined ? [] : [describe(sourceId(source), recalled)];
    });
  };
}

/** An entry that comes from a file of version 7 or earlier does not say which deliveries it has. */
function describe(source: SourceId, { at, after, upTo }: RecalledEntry): SeenMessage {
  return { source, seenAt: at, ...(upTo < after ? {} : { deliveries: upTo - after }) };
}
