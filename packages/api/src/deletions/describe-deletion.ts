// The JSON of a deletion request: every key is always present, null if it does not apply. User ids are not shown.

import { type DeletionRecord, type DeletionStep, nextStep, type NoticeCounts } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";

const STATES: Readonly<Record<DeletionStep, string>> = {
  purge: "purging",
  notify: "notifying",
  finish: "finishing",
  none: "finished",
};

export function describeDeletion(record: DeletionRecord): object {
  return {
    id: record.id,
    state: STATES[nextStep(record)],
    regulation: record.regulation,
    sources: record.sources,
    requestedAt: formatTimestamp(record.requestedAt),
    finishedAt: record.finishedAt === undefined ? null : formatTimestamp(record.finishedAt),
    users: record.users,
    notified: record.notified,
    purged: record.purged,
    notices: record.notices.map(describeNotices),
  };
}

function describeNotices({ source, stored, delivered, dead }: NoticeCounts): object {
  return { source, stored, open: stored - delivered - dead, delivered, dead };
}
