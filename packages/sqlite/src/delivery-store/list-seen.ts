// Lists the dedupe entries of a message id, of one source or of all sources.

import { type EpochMs, type SeenMessage, type SeenQuery, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { sourcesOf } from "./find-by-message-id.js";
import type { Dedupe } from "./dedupe/dedupe.js";

export type ListSeen = (query: SeenQuery, now: EpochMs) => readonly SeenMessage[];

export function prepareListSeen(database: SqliteDatabase, dedupe: Pick<Dedupe, "recall">): ListSeen {
  return ({ messageId, source: asked }, now) => {
    const sources = asked === undefined ? sourcesOf(database) : [asked];
    return sources.flatMap((source) => {
      const recalled = dedupe.recall({ source, messageId }, now);
      if (recalled === undefined) return [];
      const { at, after, upTo } = recalled;
      return [{ source: sourceId(source), seenAt: at, deliveries: upTo - after }];
    });
  };
}
