// Reads the context and integrations that a batch shares with all of its calls: each field is checked, measured and written as
// JSON once, regardless of the number of calls (decision: request cost). Must not know the calls; merge-object.ts merges.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_BATCH_BYTES, MAX_CALL_BYTES } from "../limits.js";
import { scanField } from "./check-json.js";
import { tooLarge, utf8Length } from "./measure.js";

/** The shared fields of a batch, as the caller sent them. */
export interface SharedFields {
  readonly context?: unknown;
  readonly integrations?: unknown;
}

/** The shared fields of a batch, checked and written as JSON. A field that is not an object is absent, and not merged. */
export interface SharedObjects {
  readonly context?: SharedObject;
  readonly integrations?: SharedObject;
}

/** A JSON text and its length in UTF-8 bytes. */
export interface JsonText {
  readonly text: string;
  readonly bytes: number;
}

/** An object that is merged into each call. */
export interface SharedObject {
  readonly fields: JsonObject;
  /** The whole object as JSON, for calls that do not have this field. */
  readonly whole: JsonText;
  /** Its fields as JSON, in order, each followed by a comma. */
  readonly text: string;
  /** The length of `text` in UTF-8 bytes. */
  readonly bytes: number;
  readonly parts: ReadonlyMap<string, SharedPart>;
  /** The fields with integer keys. JSON writes these first, in ascending order, in a merged object as well. */
  readonly indexed: readonly SharedPart[];
  /** The fields that break a rule. They are not in the text, and a call that would get one of these fields is refused. */
  readonly bad: readonly SharedPart[];
  /**
   * Whether it has more fields than fit into any call. The rest was not read, and every call that it is merged into is
   * refused.
   */
  readonly isCut: boolean;
}

/** One field of a shared object. */
export interface SharedPart {
  readonly key: string;
  /** Its index among the fields. */
  readonly order: number;
  /** Where the field begins and ends in the `text` of the object. */
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly refusal: Refusal | undefined;
}

/** Reads the shared fields of a batch. Throws if reading or writing a host's object throws. */
export function readShared({ context, integrations }: SharedFields): SharedObjects {
  return {
    ...(isPlainObject(context) ? { context: readObject("context", context) } : {}),
    ...(isPlainObject(integrations) ? { integrations: readObject("integrations", integrations) } : {}),
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

/** Whether a key is an array index; objects keep such keys before all others, in ascending order. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && Number(key) <= MAX_INDEX;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 4_294_967_294;

/** The most fields that fit into a call. A field takes at least five bytes: two quotes, a colon, a value, a comma. */
const MAX_FIELDS = Math.ceil(MAX_CALL_BYTES / '"":0,'.length);

function readObject(name: keyof SharedFields, fields: JsonObject): SharedObject {
  const parts = new Map<string, SharedPart>();
  let text = "";
  let bytes = 0;
  // A request cannot have more bytes. A host's object can have more, since it may contain the same part many times.
  let left = MAX_BATCH_BYTES;
  const keys = Object.keys(fields);
  for (const key of keys.slice(0, MAX_FIELDS)) {
    const field = fields[key];
    const { refusal, seen } = left < 0 ? TOO_LARGE : scanField(name, key, field);
    left -= seen;
    const written = refusal === undefined ? writeField(key, field) : "";
    const start = text.length;
    text += written;
    const writtenBytes = utf8Length(written);
    bytes += writtenBytes;
    parts.set(key, { key, order: parts.size, start, end: text.length, bytes: writtenBytes, refusal });
  }
  const all = [...parts.values()];
  const indexed = all.filter(({ key }) => isIndex(key));
  const bad = all.filter(({ refusal }) => refusal !== undefined);
  return { fields, whole: enclose({ text, bytes }), text, bytes, parts, indexed, bad, isCut: keys.length > MAX_FIELDS };
}

const TOO_LARGE = { refusal: tooLarge(), seen: 0 };
