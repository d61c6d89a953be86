// The context and integrations that a batch shares, checked and written as JSON: data that is made once and merged into each call.

import type { JsonObject } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";

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
  /** True if it has more fields than fit into any call. The rest was not read, and every call that it is merged into is refused. */
  readonly isCut: boolean;
  /** The first imprecise numbers, and the fields that have them; undefined if there are none. */
  readonly imprecise: readonly ImpreciseNumber[] | undefined;
}

/** The path of an imprecise number, and the key of the shared field that has it. */
export interface ImpreciseNumber {
  readonly key: string;
  readonly path: string;
}

/** One field of a shared object. */
export interface SharedPart {
  readonly key: string;
  /** Its index among the fields. */
  readonly order: number;
  /** The start of the field in the `text` of the object, and its end. */
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly refusal: Refusal | undefined;
}
