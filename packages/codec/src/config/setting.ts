// A setting: how its value is decoded, and what the JSON Schema says of it, written in one place. The combinators make both for
// objects and lists. They know no settings.

import type { JsonObject } from "@postrider/core";
import * as t from "io-ts";
import { closedObject, type ObjectOf } from "./closed-object.js";

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
export type Settings = Readonly<Record<string, { readonly codec: t.Mixed; readonly schema: JsonObject }>>;
/** @internal */
export type CodecsOf<Fields extends Settings> = { readonly [Key in keyof Fields]: Fields[Key]["codec"] };

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
