// One line of what the doctor has found, and how the answers of a server are read for it.

import { isPlainObject, type JsonObject } from "@postrider/core";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../requests/post-json.js";

export interface Finding {
  /** Well; not well; or to be judged by a person, who knows what is meant to be. */
  readonly kind: "ok" | "bad" | "open";
  readonly text: string;
}

export function ok(text: string): Finding {
  return { kind: "ok", text };
}

export function bad(text: string): Finding {
  return { kind: "bad", text };
}

export function open(text: string): Finding {
  return { kind: "open", text };
}

/** The object that a server has answered with status 200; undefined if it has answered anything else, or not at all. */
export function toldBy(answer: Posted): JsonObject | undefined {
  return answer.kind === "answered" && answer.status === 200 ? parseObject(answer.text) : undefined;
}

/** A field as text, or what to say in its place. */
export function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}

/** The code of an answer that is an error. */
export function codeOf(answer: Posted): unknown {
  const error = parseObject(answer.kind === "answered" ? answer.text : "")?.["error"];
  return isPlainObject(error) ? error["code"] : undefined;
}

/** Why an answer does not tell what was asked. */
export function saidBy(answer: Posted): string {
  if (answer.kind === "unreachable") return answer.reason;
  return `the server answered ${textOr(codeOf(answer), String(answer.status))}`;
}
