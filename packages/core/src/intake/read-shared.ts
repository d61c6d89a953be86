// Reads the context and integrations that a batch shares with all of its calls: each field is checked, measured and written as
// JSON once, regardless of the number of calls (decision: request cost). merge-object.ts merges it into calls.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import { MAX_BATCH_BYTES, MAX_CALL_BYTES, MAX_IMPRECISE_TOLD, SHARED_STEP_UNITS } from "../limits.js";
import { runSteps, type Steps } from "../steps.js";
import { scanField } from "./check-json.js";
import { tooLarge, utf8Length } from "./measure.js";
import type { ImpreciseNumber, JsonText, SharedObject, SharedObjects, SharedPart } from "./shared-object.js";

/** The shared fields of a batch, as the caller sent them. */
export interface SharedFields {
  readonly context?: unknown;
  readonly integrations?: unknown;
}

/** Reads the shared fields of a batch. Throws if reading or writing a host's object throws. */
export function readShared(fields: SharedFields): SharedObjects {
  return runSteps(readSharedInSteps(fields));
}

/** Like `readShared`, in steps of `SHARED_STEP_UNITS` and at most one field more: many lists in few bytes take long to read. */
export function* readSharedInSteps({ context, integrations }: SharedFields): Steps<SharedObjects> {
  return {
    ...(isPlainObject(context) ? { context: yield* readObject("context", context) } : {}),
    ...(isPlainObject(integrations) ? { integrations: yield* readObject("integrations", integrations) } : {}),
  };
}

/** A field as JSON, followed by a comma; empty if JSON leaves out the field. A `toJSON` method gets the key. */
export function writeField(key: string, field: unknown): string {
  // These have no `toJSON` to call, and an object for each key takes five times as long.
  if (typeof field === "string" || typeof field === "number" || typeof field === "boolean")
    return `${JSON.stringify(key)}:${JSON.stringify(field)},`;
  const text = JSON.stringify({ [key]: field });
  return text === "{}" ? "" : `${text.slice(1, -1)},`;
}

/** Puts braces around fields that are each followed by a comma. */
export function enclose({ text, bytes }: JsonText): JsonText {
  return text === "" ? { text: "{}", bytes: 2 } : { text: `{${text.slice(0, -1)}}`, bytes: bytes + 1 };
}

/** True if a key is an array index; objects keep such keys before all others, in ascending order. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && Number(key) <= MAX_INDEX;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 4_294_967_294;

/** The most fields that fit into a call. A field takes at least five bytes: two quotes, a colon, a value, a comma. */
const MAX_FIELDS = Math.ceil(MAX_CALL_BYTES / '"":0,'.length);

function* readObject(name: keyof SharedFields, fields: JsonObject): Steps<SharedObject> {
  const keys = Object.keys(fields);
  const reading: Reading = { parts: new Map(), text: "", bytes: 0, unitsLeft: MAX_BATCH_BYTES, imprecise: [] };
  let stepCost = 0;
  for (const key of keys.slice(0, MAX_FIELDS)) {
    stepCost += readField(reading, { name, key, field: fields[key] });
    if (stepCost < SHARED_STEP_UNITS) continue;
    stepCost = 0;
    yield "long";
  }
  const { parts, text, bytes, imprecise } = reading;
  const sharedParts = [...parts.values()];
  return {
    fields,
    whole: enclose({ text, bytes }),
    text,
    bytes,
    parts,
    indexed: sharedParts.filter(({ key }) => isIndex(key)),
    bad: sharedParts.filter(({ refusal }) => refusal !== undefined),
    isCut: keys.length > MAX_FIELDS,
    imprecise: imprecise.length === 0 ? undefined : imprecise.slice(0, MAX_IMPRECISE_TOLD),
  };
}

/** The part of a shared object that was read so far. */
interface Reading {
  readonly parts: Map<string, SharedPart>;
  text: string;
  bytes: number;
  /** A request cannot have more bytes. A host's object can have more, since it may contain the same part many times. */
  unitsLeft: number;
  readonly imprecise: ImpreciseNumber[];
}

interface NamedField {
  readonly name: keyof SharedFields;
  readonly key: string;
  readonly field: unknown;
}

/** Adds a field, and returns the cost of reading it. */
function readField(reading: Reading, { name, key, field }: NamedField): number {
  const { refusal, units, cost, imprecise } = reading.unitsLeft < 0 ? TOO_LARGE : scanField(name, key, field);
  const fieldJson = refusal === undefined ? writeField(key, field) : "";
  const [start, bytes] = [reading.text.length, utf8Length(fieldJson)];
  reading.unitsLeft -= units;
  reading.text += fieldJson;
  reading.bytes += bytes;
  const { parts } = reading;
  parts.set(key, { key, order: parts.size, start, end: start + fieldJson.length, bytes, refusal });
  for (const path of imprecise ?? []) reading.imprecise.push({ key, path });
  return cost;
}

const TOO_LARGE = { refusal: tooLarge(), units: 0, cost: 0, imprecise: undefined };
