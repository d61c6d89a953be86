// An io-ts combinator for settings: an object of exactly the named keys. An unknown key is reported, since it is most
// often a misspelt known key. Reports every problem below the object. Looks at own keys only, unlike io-ts's `type` and
// `partial`.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { isLeft } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { ownField } from "../own-field.js";
import { nearestKey } from "./nearest-key.js";

type Codecs = Readonly<Record<string, t.Mixed>>;
/** @internal */
export type ObjectOf<Required extends Codecs, Optional extends Codecs> = {
  readonly [Key in keyof Required]: t.TypeOf<Required[Key]>;
} & { readonly [Key in keyof Optional]?: t.TypeOf<Optional[Key]> };

/** The keys of an object, each with the codec of its value. */
interface Keys<Required extends Codecs, Optional extends Codecs> {
  readonly required: Required;
  readonly optional: Optional;
}

/** An object with all of the required keys, any of the optional keys and no other key. @internal */
export function closedObject<Required extends Codecs, Optional extends Codecs>(
  expected: string,
  keys: Keys<Required, Optional>,
): t.Type<ObjectOf<Required, Optional>, unknown> {
  const [required, optional] = [Object.entries(keys.required), Object.entries(keys.optional)];
  const known = [...required, ...optional].map(([key]) => key);
  // The codecs of settings do not change the values that they accept, so an accepted value has the type of the result.
  const accepts = (value: unknown): value is ObjectOf<Required, Optional> =>
    isPlainObject(value) &&
    required.every(([key, codec]) => isField(value, key, codec)) &&
    optional.every(([key, codec]) => ownField(value, key) === undefined || isField(value, key, codec)) &&
    Object.keys(value).every((key) => known.includes(key));
  const errorsOf = (value: JsonObject, context: t.Context): t.Errors => [
    ...required.flatMap(([key, codec]) => requiredErrors(value, codec, { key, context })),
    ...optional.flatMap(([key, codec]) => optionalErrors(value, codec, { key, context })),
    ...unknownKeyErrors(value, known, context),
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
  const read = codec.validate(value, t.appendContext(context, key, codec, value));
  return isLeft(read) ? read.left : [];
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
