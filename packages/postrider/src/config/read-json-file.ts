// Reads a JSON file, or reports where it is not JSON. The message of the parser is not shown, since it quotes the text, which
// may contain secrets.

import { findJsonFaultInSteps, parseJsonInSteps, type TextPosition } from "@postrider/codec";
import { runSteps, type Steps } from "@postrider/core/engine";
import { MAX_CONFIG_BYTES } from "./limits.js";
import type { ConfigProblem } from "./config-problem.js";
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
  const text = readTextFile(file, MAX_CONFIG_BYTES)?.replace(/^\uFEFF/, "");
  if (text === undefined) return refused("unreadable", "a file that can be read");
  yield "long";
  const parsed = yield* parseJsonInSteps(text);
  yield "long";
  if (parsed.kind === "ok") return { kind: "ok", value: parsed.value };
  return refused("bad-json", `JSON${describe(text, yield* findJsonFaultInSteps(text))}`);
}

function describe(text: string, place: TextPosition | undefined): string {
  if (place === undefined) return "";
  const { line, column } = place;
  const rest = text.split("\n")[line - 1]?.slice(column - 1) ?? "";
  const hint = /^\/[/*]/.test(rest) ? ", where a comment begins, which JSON does not have" : "";
  return `; the first error is at line ${String(line)}, column ${String(column)}${hint}`;
}

function refused(code: ConfigProblem["code"], expected: string): ReadJsonFileResult {
  return { kind: "refused", problems: [{ code, path: "", expected }] };
}
