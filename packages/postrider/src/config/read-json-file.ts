// Reads a JSON file, or reports where it is not JSON. The message of the parser is not shown, since it quotes the text, which
// may contain secrets.

import { findJsonFaultInSteps, parseJsonInSteps, type TextPosition } from "@postrider/codec";
import { runSteps, type Steps } from "@postrider/core/engine";
import type { ConfigProblem } from "./config-problem.js";
import { jsonFaultHint } from "./json-fault-hint.js";
import { MAX_CONFIG_BYTES } from "./limits.js";
import { readTextFile } from "./read-text-file.js";

export type ReadJsonFileResult =
  | { readonly kind: "ok"; readonly value: unknown }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** Reads the JSON value of a file. A byte order mark at the beginning is ignored. */
export function readJsonFile(file: string): ReadJsonFileResult {
  return runSteps(readJsonFileInSteps(file));
}

/** Like `readJsonFile`, in steps: reading, parsing, and, if parsing fails, the search for the place. */
export function* readJsonFileInSteps(file: string): Steps<ReadJsonFileResult> {
  const read = readTextFile(file, MAX_CONFIG_BYTES);
  if (read.kind === "refused") return refused("unreadable", read.expected);
  const text = read.text.replace(/^\uFEFF/, "");
  yield "long";
  const parsed = yield* parseJsonInSteps(text);
  yield "long";
  if (parsed.kind === "ok") return { kind: "ok", value: parsed.value };
  return refused("bad-json", `JSON${describeFault(text, yield* findJsonFaultInSteps(text))}`);
}

function describeFault(text: string, place: TextPosition | undefined): string {
  if (place === undefined) return "";
  const { line, column } = place;
  const hint = jsonFaultHint(text, offsetOf(text, place));
  return `; the first error is at line ${String(line)}, column ${String(column)}${hint}`;
}

function offsetOf(text: string, { line, column }: TextPosition): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

function refused(code: ConfigProblem["code"], expected: string): ReadJsonFileResult {
  return { kind: "refused", problems: [{ code, path: "", expected }] };
}
