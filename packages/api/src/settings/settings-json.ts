// The shapes of settings in answers, and what a request may send of them.

import { type JsonObject, MAX_ACTOR_LENGTH, type SettingsChange } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import {
  anyObjectSchema,
  choiceSchema,
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  orNull,
  type SchemaOf,
  textSchema,
} from "../contract/json-schema.js";
import type { JsonBody } from "../contract/operation.js";
import { PROBLEMS, type ReloadProblem } from "../problem-list.js";
import type { Field } from "../read-fields.js";

interface ChangeJson {
  readonly revision: number;
  readonly actor: string | null;
  readonly changedAt: string;
}

interface SettingsJson {
  readonly owner: "file" | "store";
  /** Null if the file owns the settings; 0 before the first revision. */
  readonly revision: number | null;
  readonly actor: string | null;
  readonly changedAt: string | null;
  /** The keys that the config file of this server has too: it takes no other values for them. */
  readonly locked: readonly string[];
  /** The revision that this server has in force. */
  readonly inForce: number | null;
  readonly refused: { readonly revision: number; readonly problems: readonly ReloadProblem[] } | null;
  readonly document: JsonObject;
}

export const SETTINGS: SchemaOf<SettingsJson> = component("Settings", {
  owner: choiceSchema(["file", "store"] as const),
  revision: orNull(integerSchema()),
  actor: orNull(textSchema()),
  changedAt: orNull(instantSchema()),
  locked: listSchema(textSchema()),
  inForce: orNull(integerSchema()),
  refused: orNull(objectSchema({ revision: integerSchema(), problems: PROBLEMS })),
  document: anyObjectSchema(),
});

export const HISTORY: SchemaOf<{ readonly revisions: readonly ChangeJson[] }> = objectSchema({
  revisions: listSchema(
    component<ChangeJson>("SettingsChange", {
      revision: integerSchema(),
      actor: orNull(textSchema()),
      changedAt: instantSchema(),
    }),
  ),
});

/** A revision as the history shows it. */
export function describeChange({ revision, actor, changedAt }: SettingsChange): ChangeJson {
  return { revision, actor: actor ?? null, changedAt: formatTimestamp(changedAt) };
}

const list = { schema: listSchema(anyObjectSchema()) };
const object = { schema: anyObjectSchema() };

/** A document: what it may have below its keys is that of a config file. */
export const DOCUMENT_BODY: JsonBody = {
  kind: "json",
  fields: { sources: list, destinations: list, delivery: object, retention: object, notify: list },
  required: [],
  code: "bad-settings",
};

export const ACTOR: Field<string> = {
  expected: `a text of at most ${String(MAX_ACTOR_LENGTH)} characters`,
  schema: textSchema({ minLength: 1 }),
  read: (value) => (typeof value === "string" && value !== "" && value.length <= MAX_ACTOR_LENGTH ? value : undefined),
};

export const REVISION: Field<number> = {
  expected: "the number of a revision",
  schema: integerSchema({ minimum: 1 }),
  read: (value) => (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined),
};
