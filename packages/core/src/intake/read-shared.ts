// Reads what a batch says for all of its calls, once: each field of it is checked, measured and written as JSON here, and
// never again, however many calls have it (decision: what a request may cost). Which call may then have it, and how it
// lies under the call's own, is lay-under.ts.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_BATCH_BYTES, MAX_CALL_BYTES } from "../limits.js";
import { lookAtField } from "./check-json.js";
import { tooLarge, utf8Length } from "./measure.js";

/** What a batch says for all of its calls. */
export interface SharedFields {
  readonly context?: unknown;
  readonly integrations?: unknown;
}

/** What is shared, read. What is no object is absent: it is laid under no call. */
export interface ReadShared {
  readonly context?: SharedObject;
  readonly integrations?: SharedObject;
}

/** A text of JSON, and its bytes in UTF-8. */
export interface JsonText {
  readonly text: string;
  readonly bytes: number;
}

/** An object that is laid under the same of each call. */
export interface SharedObject {
  readonly fields: JsonObject;
  /** All of it as JSON, as each call has it that brings nothing of its own. */
  readonly whole: JsonText;
  /** All of its fields as JSON, in their order, each with a comma behind it. */
  readonly text: string;
  /** The bytes of that text in UTF-8. */
  readonly bytes: number;
  readonly parts: ReadonlyMap<string, SharedPart>;
  /** Those whose keys are indexes. JSON writes them first, in ascending order, of whichever side they are. */
  readonly indexed: readonly SharedPart[];
  /** Those that no call may have. They are not in the text. */
  readonly bad: readonly SharedPart[];
  /** Whether it has more fields than any call has room for. Those beyond were not read, and no call may have it. */
  readonly isCut: boolean;
}

/** One field of it. */
export interface SharedPart {
  readonly key: string;
  /** Its place among the fields, and in the text. */
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly refusal?: Refusal;
}

/** Reads what is shared. Throws what a host's own object throws when it is read or written. */
export function readShared({ context, integrations }: SharedFields): ReadShared {
  return {
    ...(isPlainObject(context) ? { context: readObject("context", context) } : {}),
    ...(isPlainObject(integrations) ? { integrations: readObject("integrations", integrations) } : {}),
  };
}

/** A field as JSON with a comma behind it; empty where JSON leaves it out. The key is told to what writes itself. */
export function writeField(key: string, field: unknown): string {
  const text = JSON.stringify({ [key]: field });
  return text === "{}" ? "" : `${text.slice(1, -1)},`;
}

/** Fields as an object; they have a comma behind each of them. */
export function enclose({ text, bytes }: JsonText): JsonText {
  return text === "" ? { text: "{}", bytes: 2 } : { text: `{${text.slice(0, -1)}}`, bytes: bytes + 1 };
}

/** Whether a key is an index of an array, which every object keeps in front of its other keys. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && Number(key) <= MAX_INDEX;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 4_294_967_294;

/** A field takes five bytes at least: two quotes, a colon, a value, a comma. */
const MAX_FIELDS = Math.ceil(MAX_CALL_BYTES / '"":0,'.length);

function readObject(name: keyof SharedFields, fields: JsonObject): SharedObject {
  const parts = new Map<string, SharedPart>();
  let text = "";
  let bytes = 0;
  // A request has no more than that; only a host's object, which may share its parts, can write more.
  let left = MAX_BATCH_BYTES;
  const keys = Object.keys(fields);
  for (const [order, key] of keys.slice(0, MAX_FIELDS).entries()) {
    const field = fields[key];
    const { refusal, seen } = left < 0 ? TOO_LARGE : lookAtField(name, key, field);
    left -= seen;
    const written = refusal === undefined ? writeField(key, field) : "";
    const place = { key, order, start: text.length, end: text.length + written.length, bytes: utf8Length(written) };
    parts.set(key, refusal === undefined ? place : { ...place, refusal });
    text += written;
    bytes += place.bytes;
  }
  const all = [...parts.values()];
  const indexed = all.filter(({ key }) => isIndex(key));
  const bad = all.filter(({ refusal }) => refusal !== undefined);
  return { fields, whole: enclose({ text, bytes }), text, bytes, parts, indexed, bad, isCut: keys.length > MAX_FIELDS };
}

const TOO_LARGE = { refusal: tooLarge(), seen: 0 };
