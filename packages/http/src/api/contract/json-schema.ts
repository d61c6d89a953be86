// Builds the JSON Schemas (2020-12) of requests and answers. `SchemaOf<T>` is checked against T by the compiler: an interface, its schema
// and the handler that returns it cannot differ.

import type { JsonObject } from "@postrider/core";

/** The part of JSON Schema that the document of the API uses. */
export interface JsonSchema {
  /** A schema with a title becomes a component of the document, under this name. */
  readonly title?: string;
  readonly description?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

declare const SHAPE: unique symbol;

/** The schema of exactly the values of T. */
export interface SchemaOf<in out T> extends JsonSchema {
  /** Exists in types alone. */
  readonly [SHAPE]?: (value: T) => T;
}

/** The values of a schema. */
export type Of<S> = S extends SchemaOf<infer T> ? T : never;

/** The schemas of the keys of an object. */
export type Properties<T> = { readonly [Name in keyof T]-?: SchemaOf<T[Name]> };

/** A text. */
export function textSchema(about: Pick<JsonSchema, "pattern" | "minLength" | "description"> = {}): SchemaOf<string> {
  return { type: "string", ...about };
}

/** An instant, ISO 8601. */
export function instantSchema(): SchemaOf<string> {
  return { type: "string", format: "date-time" };
}

/** A whole number, 0 or more unless bounds say otherwise. */
export function integerSchema(bounds: Pick<JsonSchema, "minimum" | "maximum"> = {}): SchemaOf<number> {
  return { type: "integer", minimum: 0, ...bounds };
}

/** A number, 0 or more. */
export function numberSchema(): SchemaOf<number> {
  return { type: "number", minimum: 0 };
}

/** True or false. */
export function flagSchema(): SchemaOf<boolean> {
  return { type: "boolean" };
}

/** One text only. */
export function wordSchema<const T extends string>(only: T): SchemaOf<T> {
  return { type: "string", const: only };
}

/** A text of a closed list. */
export function choiceSchema<T extends string>(choices: readonly T[]): SchemaOf<T> {
  return { type: "string", enum: choices };
}

/** A text of a union that no list at run time names; the compiler checks that all of it is here. */
export function unionSchema<T extends string>(choices: Readonly<Record<T, true>>): SchemaOf<T> {
  return { type: "string", enum: Object.keys(choices) };
}

/** A list. */
export function listSchema<T>(
  items: SchemaOf<T>,
  bounds: Pick<JsonSchema, "minItems" | "maxItems"> = {},
): SchemaOf<readonly T[]> {
  return { type: "array", items, ...bounds };
}

/** An object with all of these keys. */
export function objectSchema<T extends object>(properties: Properties<T>): SchemaOf<T> {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** An object with all of these keys, which the document shows under a name. */
export function component<T extends object>(title: string, properties: Properties<T>): SchemaOf<T> {
  return { title, ...objectSchema<T>(properties) };
}

/** An object with any keys. */
export function anyObjectSchema(): SchemaOf<JsonObject> {
  return { type: "object" };
}

/** The values of a schema, or null. */
export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return { anyOf: [schema, { type: "null" }] };
}

/** A value of one of these schemas. */
export function oneOf<const T extends readonly unknown[]>(
  ...schemas: { readonly [Index in keyof T]: SchemaOf<T[Index]> }
): SchemaOf<T[number]> {
  return { anyOf: schemas };
}
