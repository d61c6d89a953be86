// Members and records for the cases.

import { type AudienceRecord, destinationId, epochMs, MAX_USER_ID_LENGTH } from "@postrider/core";
import { lookAlikes } from "../look-alikes.js";

/** Ids of one length, in order. */
export function numberedIds(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `user-${String(from + index).padStart(8, "0")}`);
}

/** Look-alikes, and texts that careless code sorts wrongly, in the order of their code units. */
export const NASTY_IDS: readonly string[] = [
  ...new Set([
    ...lookAlikes(MAX_USER_ID_LENGTH),
    ...["", "\u0000\u0000", '"quoted" \\ back', "aa", "line\r\n\u2028", "z".repeat(5_000)],
    ...["\ud83d\ude00", "\udc00\ud800", "\udfff", "\uffff"],
  ]),
].toSorted((one, other) => (one < other ? -1 : 1));

const [CRM, ERP] = [destinationId("crm"), destinationId("erp")];
const HOLDER = { owner: "me", aliveAt: epochMs(1_763_724_404_001) };

/** A record with every field set, whose sync is sending. */
export function sendingRecord(record: AudienceRecord): AudienceRecord {
  const counts = { members: 12, entered: 3, departed: 2, changed: 1 };
  const [beforeThat, now] = ["set of before", "set of now"];
  return {
    ...record,
    ...{
      name: 'G\u00e4ste "%" \ud83d\ude00\u0000',
      kind: "trait",
      sendsAs: "track",
      destinations: [CRM, ERP],
      syncs: 7,
    },
    running: { ...HOLDER, ...counts, kind: "sending", set: now, left: [CRM, ERP] },
    last: { ...counts, sync: 6, endedAt: epochMs(1_763_724_404_002) },
    told: [
      {
        destination: CRM,
        sync: 5,
        parts: [
          { set: now, upTo: "\ud800" },
          { set: beforeThat, upTo: null },
        ],
      },
      { destination: ERP, sync: 0, parts: [] },
    ],
    ...{ current: now, erased: 3 },
  };
}

export function collectingRecord(record: AudienceRecord): AudienceRecord {
  return { ...record, syncs: 1, running: { ...HOLDER, kind: "collecting", since: 4 } };
}

/** The next revision of a record, which may replace it. */
export function nextRevision(record: AudienceRecord, given: Partial<AudienceRecord> = {}): AudienceRecord {
  return { ...record, ...given, revision: record.revision + 1 };
}
