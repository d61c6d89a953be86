// One line of what the doctor has found, and how the answers of a server are read for it.

import type { JsonObject } from "@postrider/core";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../post-json.js";

export interface Finding {
  /** Well, not well, or not to be told from here. */
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
