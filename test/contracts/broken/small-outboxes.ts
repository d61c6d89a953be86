// Stores whose outbox keeps a limit of its database: of rows, bytes or places of a statement.

import { createStoreError, type OutboxEntry } from "@postrider/core";
import { overOutbox } from "./outboxes.js";
import type { Storage } from "./storage.js";

const ROWS = 1_000;
const PLACES = 2_100;
const PAGE_BYTES = 1_048_576;

export const readingAThousand = (): Storage =>
  overOutbox((outbox) => ({ read: ({ limit, ...query }) => outbox.read({ ...query, limit: Math.min(limit, ROWS) }) }));

export const lookingAtAThousand = (): Storage =>
  overOutbox((outbox) => ({
    read: async ({ limit, except = [], ...query }) => {
      const rows = await outbox.read({ ...query, limit: Math.max(limit, ROWS) });
      return rows.filter(({ source }) => !except.includes(source)).slice(0, limit);
    },
  }));

export const endingPagesAtAMegabyte = (): Storage =>
  overOutbox((outbox) => ({
    read: async (query) => {
      const page: OutboxEntry[] = [];
      let bytes = 0;
      for (const entry of await outbox.read(query)) {
        bytes += entry.call.length;
        if (bytes > PAGE_BYTES) break;
        page.push(entry);
      }
      return page;
    },
  }));

export const refusingManySources = (): Storage =>
  overOutbox((outbox) => ({
    read: async (query) => {
      if ((query.except?.length ?? 0) > PLACES) throw createStoreError("unavailable", "too many places");
      return outbox.read(query);
    },
  }));

export const removingAThousand = (): Storage =>
  overOutbox((outbox) => ({ remove: (ids) => outbox.remove(ids.slice(0, ROWS)) }));

export const countingAThousand = (): Storage =>
  overOutbox((outbox) => ({
    count: ({ source, limit }) => outbox.count({ source, limit: Math.min(limit, ROWS) }),
  }));
