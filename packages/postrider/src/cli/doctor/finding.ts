// The type of a finding of the doctor, and helpers that read the answers of a server. Knows no endpoint of the API.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { SendResult } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";

export interface Finding {
  /** `open`: the operator has to judge it, since only the operator knows what is intended. */
  readonly kind: "ok" | "bad" | "open";
  readonly text: string;
}

export function okFinding(text: string): Finding {
  return { kind: "ok", text };
}

export function badFinding(text: string): Finding {
  return { kind: "bad", text };
}

export function openFinding(text: string): Finding {
  return { kind: "open", text };
}

/** The JSON object of an answer with status 200; undefined for any other answer. */
export function objectOfAnswer(answer: SendResult): JsonObject | undefined {
  return answer.kind === "answered" && answer.status === 200 ? parseObject(answer.text) : undefined;
}

/** A field as text; `fallback` if it is neither a text nor a number. */
export function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : fallback;
}

/** The code of an error answer. */
export function errorCodeOf(answer: SendResult): unknown {
  const error = parseObject(answer.kind === "answered" ? answer.text : "")?.["error"];
  return isPlainObject(error) ? error["code"] : undefined;
}
