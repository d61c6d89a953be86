// The shape of an audience and of its syncs in an answer: as types, and as schemas for the document of the API.

import type { AudienceDefinition } from "@postrider/core";
import type { SyncProgress } from "@postrider/relay";
import {
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  orNull,
  type SchemaOf,
  textSchema,
  unionSchema,
} from "../contract/json-schema.js";

/** A sync that has ended. */
export interface EndedSyncJson {
  readonly sync: number;
  readonly members: number;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly endedAt: string;
}

const REPORT_COUNTS = {
  sync: integerSchema({ minimum: 1 }),
  members: integerSchema(),
  entered: integerSchema(),
  departed: integerSchema(),
  changed: integerSchema(),
};

/** A sync as far as it is; `endedAt` is null until all changes are sent. */
export interface SyncJson extends Omit<EndedSyncJson, "endedAt"> {
  readonly endedAt: string | null;
}

export const SYNC: SchemaOf<SyncJson> = component<SyncJson>("Sync", {
  ...REPORT_COUNTS,
  endedAt: orNull(instantSchema()),
});

/** A sync that is under way. */
export interface RunningSyncJson {
  readonly sync: number;
  readonly done: number | null;
  readonly total: number | null;
  readonly phase: SyncProgress["phase"];
  readonly members: number | null;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly left: readonly string[] | null;
}

interface ToldJson {
  readonly destination: string;
  readonly sync: number;
}

/** An audience in an answer. */
export interface AudienceJson {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly kind: AudienceDefinition["kind"];
  readonly sendsAs: AudienceDefinition["sendsAs"];
  readonly destinations: readonly string[];
  readonly createdAt: string;
  readonly running: RunningSyncJson | null;
  readonly last: EndedSyncJson | null;
  readonly told: readonly ToldJson[];
}

const RUNNING = component<RunningSyncJson>("RunningSync", {
  ...REPORT_COUNTS,
  members: orNull(integerSchema()),
  done: orNull(integerSchema()),
  total: orNull(integerSchema()),
  phase: unionSchema<SyncProgress["phase"]>({ collecting: true, merging: true, comparing: true, sending: true }),
  left: orNull(listSchema(textSchema())),
});

export const AUDIENCE: SchemaOf<AudienceJson> = component<AudienceJson>("Audience", {
  key: textSchema(),
  id: textSchema(),
  name: textSchema(),
  kind: unionSchema<AudienceDefinition["kind"]>({ audience: true, trait: true }),
  sendsAs: unionSchema<AudienceDefinition["sendsAs"]>({ identify: true, track: true }),
  destinations: listSchema(textSchema()),
  createdAt: instantSchema(),
  running: orNull(RUNNING),
  last: orNull(component<EndedSyncJson>("EndedSync", { ...REPORT_COUNTS, endedAt: instantSchema() })),
  told: listSchema(objectSchema<ToldJson>({ destination: textSchema(), sync: integerSchema() })),
});
