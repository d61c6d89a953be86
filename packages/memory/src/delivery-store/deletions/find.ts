// Shows requests: one in full, or a page of them without their user ids.

import { defined } from "@postrider/core/engine";
import type { DeletionId, DeletionPage, DeletionQuery, DeletionRecord } from "@postrider/core";
import type { Contents } from "../contents.js";
import type { DeletionContents, StoredDeletion } from "./contents.js";

export function findDeletion({ deletions }: Contents, id: DeletionId): DeletionRecord | undefined {
  const deletion = deletions.requests.get(id);
  return deletion === undefined ? undefined : { ...show(deletions, deletion), userIds: [...deletion.userIds] };
}

export function listDeletions({ deletions }: Contents, { unfinished, after, limit }: DeletionQuery): DeletionPage {
  const newestFirst = [...deletions.requests.values()].reverse();
  const start = after === undefined ? 0 : placeBehind(newestFirst, after);
  const asked = newestFirst.slice(start).filter(({ finishedAt }) => unfinished !== true || finishedAt === undefined);
  return { deletions: asked.slice(0, limit).map((deletion) => show(deletions, deletion)), more: asked.length > limit };
}

function placeBehind(deletions: readonly StoredDeletion[], after: DeletionId): number {
  const place = deletions.findIndex(({ id }) => id === after);
  return place === -1 ? deletions.length : place + 1;
}

function show({ unpurged }: DeletionContents, deletion: StoredDeletion): DeletionRecord {
  const { id, number, regulation, sources, requestedAt, finishedAt, users, notified, purged, notices } = deletion;
  return {
    id,
    number,
    regulation,
    sources: sources === null ? null : [...sources],
    requestedAt,
    ...defined({ finishedAt }),
    users,
    userIds: [],
    notified,
    isPurged: !unpurged.has(deletion),
    purged,
    notices: [...notices].map(([source, counts]) => ({ source, ...counts })).sort(bySource),
  };
}

function bySource(
  { source: one }: { readonly source: string },
  { source: other }: { readonly source: string },
): number {
  return one < other ? -1 : 1;
}
