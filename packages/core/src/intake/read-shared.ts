// Reads what a batch says for all of its calls, once: each field of it is checked, measured and written as JSON here, and
// never again, however many calls have it (decision: what a request may cost). Which call may then have it, and how it
// lies under the call's own, is lay-under.ts.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_BATCH_BYTES } from "../limits.js";
import { lookAtField } from "./check-json.js";
import { tooLarge, utf8Length } from "./measure.js";
import type { SharedFields } from "./merge-shared.js";

/** What is shared, read. What is no object is absent: it is laid under no call. */
export interface ReadShared {
  readonly context?: SharedObject;
  readonly integrations?: SharedObject;
}

/** An object that is laid under the same of each call. */
export interface SharedObject {
  readonly fields: JsonObject;
  /** All of its fields as JSON, in their order, each with a comma behind it. */
  readonly text: string;
  /** The bytes of that text in UTF-8. */
  readonly bytes: number;
  readonly parts: ReadonlyMap<string, SharedPart>;
  /** Those whose keys are indexes. JSON writes them first, in ascending order, of whichever side they are. */
  readonly indexed: readonly SharedPart[];
  /** Those that no call may have. They are not in the text. */
  readonly bad: readonly SharedPart[];
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

/** Whether a key is an index of an array, which every object keeps in front of its other keys. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && Number(key) <= MAX_INDEX;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 4_294_967_294;

function readObject(name: keyof SharedFields, fields: JsonObject): SharedObject {
  const parts = new Map<string, SharedPart>();
  let text = "";
  let bytes = 0;
  // A request has no more than that; only a host's object, which may share its parts, can write more.
  let left = MAX_BATCH_BYTES;
  for (const [order, key] of Object.keys(fields).entries()) {
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
  return { fields, text, bytes, parts, indexed, bad: all.filter(({ refusal }) => refusal !== undefined) };
}

const TOO_LARGE = { refusal: tooLarge(), seen: 0 };
