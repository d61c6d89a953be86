// The JSON of a deletion request: every key is always present, null if it does not apply. User ids are not shown.

import {
  type DeletionRecord,
  type DeletionStep,
  nextStep,
  type NoticeCounts,
  type Regulation,
  REGULATIONS,
} from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import {
  choiceSchema,
  unionSchema,
  component,
  instantSchema,
  integerSchema,
  listSchema,
  orNull,
  type SchemaOf,
  textSchema,
} from "../contract/json-schema.js";

/**
 * Once all is done here, `delivering`: notices wait for their receivers. Then `finished`: all receivers have them; or `undelivered`: some
 * receivers have not taken theirs.
 */
type DeletionState = "purging" | "notifying" | "finishing" | "delivering" | "undelivered" | "finished";

const STATES: Readonly<Record<Exclude<DeletionStep, "none">, DeletionState>> = {
  purge: "purging",
  notify: "notifying",
  finish: "finishing",
};

interface NoticesJson {
  readonly source: string;
  readonly stored: number;
  readonly open: number;
  readonly delivered: number;
  readonly dead: number;
}

/** A deletion request in an answer. */
export interface DeletionJson {
  readonly id: string;
  readonly state: DeletionState;
  readonly regulation: Regulation;
  /** Null: all of them. */
  readonly sources: readonly string[] | null;
  readonly requestedAt: string;
  readonly finishedAt: string | null;
  readonly users: number;
  readonly notified: number;
  readonly purged: number;
  readonly notices: readonly NoticesJson[];
}

export const DELETION: SchemaOf<DeletionJson> = component<DeletionJson>("Deletion", {
  id: textSchema(),
  state: unionSchema<DeletionState>({
    purging: true,
    notifying: true,
    finishing: true,
    delivering: true,
    undelivered: true,
    finished: true,
  }),
  regulation: choiceSchema(REGULATIONS),
  sources: orNull(listSchema(textSchema())),
  requestedAt: instantSchema(),
  finishedAt: orNull(instantSchema()),
  users: integerSchema(),
  notified: integerSchema(),
  purged: integerSchema(),
  notices: listSchema(
    component<NoticesJson>("DeletionNotices", {
      source: textSchema(),
      stored: integerSchema(),
      open: integerSchema(),
      delivered: integerSchema(),
      dead: integerSchema(),
    }),
  ),
});

export function describeDeletion(record: DeletionRecord): DeletionJson {
  return {
    id: record.id,
    state: stateOf(record),
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

function stateOf(record: DeletionRecord): DeletionState {
  const step = nextStep(record);
  if (step !== "none") return STATES[step];
  const notices = record.notices.map(describeNotices);
  if (notices.some(({ open }) => open > 0)) return "delivering";
  return notices.some(({ dead }) => dead > 0) ? "undelivered" : "finished";
}

function describeNotices({ source, stored, delivered, dead }: NoticeCounts): NoticesJson {
  return { source, stored, open: stored - delivered - dead, delivered, dead };
}
