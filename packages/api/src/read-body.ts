// Reads the body of a request as an object with its allowed fields, or returns the answer that refuses it.

import type { Decoded } from "@postrider/codec";
import type { Problem } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import {
  type Answer,
  unsupportedEncodingAnswer,
  overloadedAnswer,
  readJson,
  type ReadJsonResult,
  type RequestBody,
} from "@postrider/http";
import { type Fields, readFields } from "./read-fields.js";
import { type BadRequestCode, problemAnswer, refuse } from "./refuse.js";

export type BodyResult<T> =
  { readonly kind: "ok"; readonly value: T } | { readonly kind: "refused"; readonly answer: Answer };

export interface BodyShape<T extends object, Required extends keyof T & string> {
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
  if (json.kind === "refused") return refused(unreadAnswer(json.reason));
  const read = readObject(json.value, shape);
  return read.kind === "refused"
    ? refused(problemAnswer(shape.code, read.problems))
    : { kind: "ok", value: read.value };
}

/** Reads a body of any JSON. */
export async function readAnyBody(body: RequestBody): Promise<BodyResult<unknown>> {
  const json = await readJson(body);
  return json.kind === "refused" ? refused(unreadAnswer(json.reason)) : { kind: "ok", value: json.value };
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
  const read = readFields(value, fields);
  if (read.kind === "refused") return read;
  if (hasAll(read.value, required)) return { kind: "ok", value: read.value };
  const missing = required.filter((name) => !Object.hasOwn(read.value, name));
  const problems = missing.map((name): Problem => ({ code: "missing", path: name, expected: fields[name].expected }));
  return { kind: "refused", problems };
}

function hasAll<T extends object, Required extends keyof T & string>(
  value: Partial<T>,
  required: readonly Required[],
): value is Partial<T> & Pick<T, Required> {
  return required.every((name) => Object.hasOwn(value, name));
}

function refused(answer: Answer): Extract<BodyResult<never>, { kind: "refused" }> {
  return { kind: "refused", answer };
}
