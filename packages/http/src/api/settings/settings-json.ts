// Writes settings, their history and the problems of a document as JSON, and describes the document, the author and the
// revision that a request may name. Of many problems, shows the first and counts the others.

import { type JsonObject, MAX_ACTOR_LENGTH, type SettingsChange, type Problem } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "../../index.js";
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
import type { Field } from "../read-request.js";
import { type ApiCode, docsOf } from "../refuse.js";

/** At most this number of problems is answered; `more` is the number of the others. */
const MAX_PROBLEMS = 200;

export const PROBLEMS: SchemaOf<readonly ReloadProblem[]> = listSchema(
  objectSchema({ code: textSchema(), path: textSchema(), expected: textSchema() }),
);

/** A revision of the settings in an answer. */
export interface SettingsChangeJson {
  readonly revision: number;
  readonly actor: string | null;
  readonly changedAt: string;
}

/** The settings in an answer. */
export interface SettingsJson {
  readonly owner: "file" | "store";
  /** Null if the file owns the settings; 0 before the first revision. */
  readonly revision: number | null;
  readonly actor: string | null;
  readonly changedAt: string | null;
  /** The keys that the config file of this server has too: the server refuses other values for them. */
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

export const HISTORY: SchemaOf<{ readonly revisions: readonly SettingsChangeJson[] }> = objectSchema({
  revisions: listSchema(
    component<SettingsChangeJson>("SettingsChange", {
      revision: integerSchema(),
      actor: orNull(textSchema()),
      changedAt: instantSchema(),
    }),
  ),
});

/** A revision as the history shows it. */
export function describeChange({ revision, actor, changedAt }: SettingsChange): SettingsChangeJson {
  return { revision, actor: actor ?? null, changedAt: formatTimestamp(changedAt) };
}

const anyList = { schema: listSchema(anyObjectSchema()) };

const anyObject = { schema: anyObjectSchema() };

/** A document has only these keys of a config file, with the same values. */
export const DOCUMENT_BODY: JsonBody = {
  kind: "json",
  fields: { sources: anyList, destinations: anyList, delivery: anyObject, retention: anyObject, notify: anyList },
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

/** A problem of settings, or of a file that cannot be read, which has further codes. Has no value of the settings. */
export interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

/** Problems as they are answered. */
export function showProblems(problems: readonly ReloadProblem[]): readonly ReloadProblem[] {
  return problems.map(({ code, path, expected }) => ({ code, path, expected }));
}

interface ProblemRefusal {
  readonly code: ApiCode;
  /** The message, which says `amount`, such as "2 problems". */
  readonly say: (amount: string) => string;
  /** The fields after the problems in the answer. */
  readonly beside?: object;
}

/** 422 with the first problems, and the number of the others as `more`. */
export function refuseProblems(allProblems: readonly ReloadProblem[], { code, say, beside }: ProblemRefusal): Answer {
  const message = say(allProblems.length === 1 ? "1 problem" : `${String(allProblems.length)} problems`);
  const error = { code, message, docs: docsOf(code) };
  const problems = showProblems(allProblems.slice(0, MAX_PROBLEMS));
  const more = allProblems.length - problems.length;
  return jsonAnswer(422, { success: false, code, message, error, problems, more, ...beside });
}
