// A setting: the codec of its value and its JSON Schema, written in one place. The combinators make both for lists and for objects of
// exactly the named keys; inherited keys do not count. An unknown key is most often a misspelt known key.

import type { JsonObject } from "@postrider/core";
import * as t from "io-ts";
import { isPlainObject } from "@postrider/core/engine";
import { isLeft } from "fp-ts/lib/Either.js";
import { ownField } from "../lenient.js";
import { nearestKey } from "./nearest-key.js";

/**
 * `schema` accepts each value that `codec` and core's rules accept, and each reference (`env:NAME`, `file:PATH`) in place of
 * a text. It refuses what they refuse, except where a rule compares several values or needs a parser.
 * @internal
 */
export interface Setting<A> {
  readonly codec: t.Type<A, unknown>;
  readonly schema: JsonObject;
}

/** @internal */
type Settings = Readonly<Record<string, { readonly codec: t.Mixed; readonly schema: JsonObject }>>;

/** @internal */
type CodecsOf<Fields extends Settings> = { readonly [Key in keyof Fields]: Fields[Key]["codec"] };

/** The keys of an object. */
interface Keys<Required extends Settings, Optional extends Settings> {
  readonly required: Required;
  readonly optional: Optional;
}

/** The same setting with a description for people and, if it has one, its default. @internal */
export function described<A>(setting: Setting<A>, description: string, byDefault?: unknown): Setting<A> {
  const annotations = byDefault === undefined ? { description } : { description, default: byDefault };
  return { codec: setting.codec, schema: { ...annotations, ...setting.schema } };
}

/** An object of exactly these keys. @internal */
export function objectSetting<Required extends Settings, Optional extends Settings>(
  expected: string,
  { required, optional }: Keys<Required, Optional>,
): Setting<ObjectOf<CodecsOf<Required>, CodecsOf<Optional>>> {
  const names = Object.keys(required);
  return {
    codec: closedObject(expected, { required: codecsOf(required), optional: codecsOf(optional) }),
    schema: {
      type: "object",
      properties: { ...schemasOf(required), ...schemasOf(optional) },
      ...(names.length === 0 ? {} : { required: names }),
      additionalProperties: false,
    },
  };
}

/** A list; `bounds` are keywords of the JSON Schema for rules of core. @internal */
export function listSetting<A>(expected: string, item: Setting<A>, bounds: JsonObject = {}): Setting<readonly A[]> {
  return {
    codec: t.readonlyArray(item.codec, expected),
    schema: { type: "array", items: item.schema, ...bounds },
  };
}

function codecsOf<Fields extends Settings>(fields: Fields): CodecsOf<Fields> {
  // The keys stay the same, which `Object.fromEntries` cannot express.
  return Object.fromEntries(Object.entries(fields).map(([key, { codec }]) => [key, codec])) as CodecsOf<Fields>;
}

function schemasOf(fields: Settings): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]));
}

type Codecs = Readonly<Record<string, t.Mixed>>;

/** @internal */
type ObjectOf<Required extends Codecs, Optional extends Codecs> = {
  readonly [Key in keyof Required]: t.TypeOf<Required[Key]>;
} & { readonly [Key in keyof Optional]?: t.TypeOf<Optional[Key]> };

/** The keys of an object, each with the codec of its value. */
interface KeyCodecs<Required extends Codecs, Optional extends Codecs> {
  readonly required: Required;
  readonly optional: Optional;
}

/** An object with all of the required keys, any of the optional keys and no other key. @internal */
export function closedObject<Required extends Codecs, Optional extends Codecs>(
  expected: string,
  keys: KeyCodecs<Required, Optional>,
): t.Type<ObjectOf<Required, Optional>, unknown> {
  const [required, optional] = [Object.entries(keys.required), Object.entries(keys.optional)];
  const names = [...required, ...optional].map(([key]) => key);
  // The codecs of settings do not change the values that they accept, so an accepted value has the type of the result.
  const accepts = (value: unknown): value is ObjectOf<Required, Optional> =>
    isPlainObject(value) &&
    required.every(([key, codec]) => isField(value, key, codec)) &&
    optional.every(([key, codec]) => ownField(value, key) === undefined || isField(value, key, codec)) &&
    Object.keys(value).every((key) => names.includes(key));
  const errorsOf = (value: JsonObject, context: t.Context): t.Errors => [
    ...required.flatMap(([key, codec]) => requiredErrors(value, codec, { key, context })),
    ...optional.flatMap(([key, codec]) => optionalErrors(value, codec, { key, context })),
    ...unknownKeyErrors(value, names, context),
  ];
  return new t.Type(
    expected,
    accepts,
    (value, context) => {
      if (!isPlainObject(value)) return t.failure(value, context);
      return accepts(value) ? t.success(value) : t.failures(errorsOf(value, context));
    },
    t.identity,
  );
}

function isField(object: JsonObject, key: string, codec: t.Mixed): boolean {
  const value = ownField(object, key);
  return value !== undefined && codec.is(value);
}

interface Place {
  readonly key: string;
  readonly context: t.Context;
}

function requiredErrors(object: JsonObject, codec: t.Mixed, place: Place): t.Errors {
  if (ownField(object, place.key) !== undefined) return optionalErrors(object, codec, place);
  return [{ value: undefined, context: t.appendContext(place.context, place.key, codec), message: "missing" }];
}

function optionalErrors(object: JsonObject, codec: t.Mixed, { key, context }: Place): t.Errors {
  const value = ownField(object, key);
  if (value === undefined) return [];
  const validation = codec.validate(value, t.appendContext(context, key, codec, value));
  return isLeft(validation) ? validation.left : [];
}

function unknownKeyErrors(object: JsonObject, known: readonly string[], context: t.Context): t.Errors {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const nearest = nearestKey(key, known);
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      const expected = `one of the keys ${known.join(", ")}${hint}`;
      const noKey = new t.Type(expected, t.never.is, t.never.validate, t.identity);
      return { value: undefined, context: t.appendContext(context, key, noKey), message: "unknown-key" };
    });
}
