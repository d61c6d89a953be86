// Reads the body or the query of a request by its allowed fields, each by its own rule, and reports all problems. An
// unknown field is a problem: if a misspelt filter were ignored, the answer would be the whole list.

import type { Decoded } from "@postrider/relay/settings";
import type { Problem, EpochMs, JsonObject } from "@postrider/core";
import { isPlainObject, parseTimestamp, pathTo } from "@postrider/core/engine";
import {
  type Answer,
  unsupportedEncodingAnswer,
  overloadedAnswer,
  readJson,
  type ReadJsonResult,
  type RequestBody,
} from "../index.js";
import { type BadRequestCode, problemAnswer, refuse } from "./refuse.js";
import {
  choiceSchema,
  instantSchema,
  integerSchema,
  type JsonSchema,
  listSchema,
  textSchema,
} from "./contract/json-schema.js";

type BodyResult<T> = { readonly kind: "ok"; readonly value: T } | { readonly kind: "refused"; readonly answer: Answer };

interface BodyShape<T extends object, Required extends keyof T & string> {
  readonly fields: Fields<T>;
  /** Fields that must be present. */
  readonly required: readonly Required[];
  /** The code of the answer if fields are wrong. */
  readonly code: BadRequestCode;
}

/** Reads a body of this shape. The value has no key for an optional field that is absent. */
export async function readObjectBody<T extends object, Required extends keyof T & string>(
  body: RequestBody,
  shape: BodyShape<T, Required>,
): Promise<BodyResult<Partial<T> & Pick<T, Required>>> {
  const json = await readJson(body);
  if (json.kind === "refused") return refusal(unreadAnswer(json.reason));
  const object = readObject(json.value, shape);
  return object.kind === "refused"
    ? refusal(problemAnswer(shape.code, object.problems))
    : { kind: "ok", value: object.value };
}

/** Reads a body of any JSON. */
export async function readAnyBody(body: RequestBody): Promise<BodyResult<unknown>> {
  const json = await readJson(body);
  return json.kind === "refused" ? refusal(unreadAnswer(json.reason)) : { kind: "ok", value: json.value };
}

function unreadAnswer(reason: Extract<ReadJsonResult, { kind: "refused" }>["reason"]): Answer {
  switch (reason) {
    case "too-large":
      return refuse(413, "too-large", "the body is too long");
    case "no-room":
      return overloadedAnswer();
    case "unread-encoding":
      return unsupportedEncodingAnswer();
    case "too-deep":
      return refuse(400, "too-deep", "the body is nested too deeply");
    case "bad-json":
      return refuse(400, "bad-json", "expected JSON in UTF-8");
  }
}

function readObject<T extends object, Required extends keyof T & string>(
  value: unknown,
  { fields, required }: BodyShape<T, Required>,
): Decoded<Partial<T> & Pick<T, Required>> {
  if (!isPlainObject(value)) {
    return { kind: "refused", problems: [{ code: "wrong-type", path: "", expected: "an object" }] };
  }
  const object = readFields(value, fields);
  if (object.kind === "refused") return object;
  if (hasAll(object.value, required)) return { kind: "ok", value: object.value };
  const missing = required.filter((name) => !Object.hasOwn(object.value, name));
  const problems = missing.map((name): Problem => ({ code: "missing", path: name, expected: fields[name].expected }));
  return { kind: "refused", problems };
}

function hasAll<T extends object, Required extends keyof T & string>(
  value: Partial<T>,
  required: readonly Required[],
): value is Partial<T> & Pick<T, Required> {
  return required.every((name) => Object.hasOwn(value, name));
}

function refusal(answer: Answer): Extract<BodyResult<never>, { kind: "refused" }> {
  return { kind: "refused", answer };
}

/** Reads the fields of a query. A name that occurs twice gives a list, which no field of a query accepts. */
export function readQuery<T extends object>(query: string, fields: Fields<T>): Decoded<Partial<T>> {
  const parameters = new URLSearchParams(query);
  const pairs = [...new Set(parameters.keys())].map((name) => {
    const [value, ...repeats] = parameters.getAll(name);
    return [name, repeats.length === 0 ? value : [value, ...repeats]] as const;
  });
  return readFields(Object.fromEntries(pairs), fields);
}

const COUNT_DIGITS = /^\d{1,9}$/;

const NUMBER_DIGITS = /^\d{1,16}$/;

/** A reader of a field: `read` returns its value, or undefined if the value is wrong. */
export interface Field<T> {
  readonly expected: string;
  /** The schema of the field in the document of the API. Some fields take other forms too, since a query has only texts. */
  readonly schema: JsonSchema;
  readonly read: (value: unknown) => T | undefined;
}

export type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

/** Reads the fields that are present; null counts as absent. */
function readFields<T extends object>(input: JsonObject, fields: Fields<T>): Decoded<Partial<T>> {
  const value: Partial<T> = {};
  const problems: Problem[] = unknownFieldProblems(input, fields);
  for (const name in fields) {
    const raw = Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
    const parsed = raw === undefined ? undefined : fields[name].read(raw);
    if (parsed !== undefined) value[name] = parsed;
    else if (raw !== undefined) problems.push({ code: "wrong-type", path: name, expected: fields[name].expected });
  }
  return problems.length > 0 ? { kind: "refused", problems } : { kind: "ok", value };
}

function unknownFieldProblems(input: JsonObject, fields: object): Problem[] {
  const expected = `one of ${Object.keys(fields).join(", ")}`;
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name));
  return unknown.map((name) => ({ code: "unknown-key", path: pathTo("", name), expected }));
}

/** A text that is not empty, such as an id or a cursor; `brand` gives it its type. */
export function textField<T>(brand: (text: string) => T): Field<T> {
  return {
    expected: "a text that is not empty",
    schema: textSchema({ minLength: 1 }),
    read: (value) => (typeof value === "string" && value !== "" ? brand(value) : undefined),
  };
}

/** A list of texts; it may be empty. */
export function listField<T>(brand: (text: string) => T): Field<readonly T[]> {
  return {
    expected: "a list of texts",
    schema: listSchema(textSchema()),
    read: (value) => (isTexts(value) ? value.map(brand) : undefined),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** `true`, or the text "true", since a query has only texts. */
export function flagField(): Field<true> {
  return {
    expected: "true, or left out",
    schema: { type: "boolean", const: true },
    read: (value) => (value === true || value === "true" ? true : undefined),
  };
}

/** One text of a closed list. */
export function choiceField<T extends string>(choices: readonly T[]): Field<T> {
  return {
    expected: `one of ${choices.join(", ")}`,
    schema: choiceSchema(choices),
    read: (value) => choices.find((choice) => choice === value),
  };
}

/** Texts of a closed list with commas between them, since a query has only texts. */
export function choicesField<T extends string>(choices: readonly T[]): Field<readonly T[]> {
  return {
    expected: `one or several of ${choices.join(", ")}, with commas`,
    schema: listSchema(choiceSchema(choices), { minItems: 1 }),
    read: (value) => (typeof value === "string" ? allOf(choices, value.split(",")) : undefined),
  };
}

/** Texts of a closed list, at least one, as a list: for a body. */
export function choiceListField<T extends string>(choices: readonly T[]): Field<readonly T[]> {
  return {
    expected: `a list of one or several of ${choices.join(", ")}`,
    schema: listSchema(choiceSchema(choices), { minItems: 1 }),
    read: (value) => (isTexts(value) ? allOf(choices, value) : undefined),
  };
}

/** The texts, if there are some and each is one of the choices. */
function allOf<T extends string>(choices: readonly T[], texts: readonly string[]): readonly T[] | undefined {
  const matches = texts.flatMap((text) => choices.find((choice) => choice === text) ?? []);
  return matches.length > 0 && matches.length === texts.length ? matches : undefined;
}

/** An instant, ISO 8601. */
export function instantField(): Field<EpochMs> {
  return {
    expected: "an instant such as 2026-01-31T12:00:00.000Z",
    schema: instantSchema(),
    read: (value) => (typeof value === "string" ? parseTimestamp(value) : undefined),
  };
}

/** A whole number that is not negative, or its digits, since a query has only texts. */
export function numberField(): Field<number> {
  return {
    expected: "a whole number, 0 or more",
    schema: integerSchema(),
    read: (value) => wholeNumberOf(value, NUMBER_DIGITS, { from: 0, to: Number.MAX_SAFE_INTEGER }),
  };
}

/** A whole number from 1 to `max`, or its digits, since a query has only texts. */
export function countField(max: number): Field<number> {
  return {
    expected: `a whole number from 1 to ${String(max)}`,
    schema: integerSchema({ minimum: 1, maximum: max }),
    read: (value) => wholeNumberOf(value, COUNT_DIGITS, { from: 1, to: max }),
  };
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

function wholeNumberOf(value: unknown, digits: RegExp, { from, to }: Bounds): number | undefined {
  const number = typeof value === "string" && digits.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= from && number <= to ? number : undefined;
}
