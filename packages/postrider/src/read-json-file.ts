// Reads a file that should be JSON, and says where it is none. What the parser says is left out: it quotes the text, and the
// text holds secrets.

import { findJsonFault } from "@postrider/codec";
import { MAX_CONFIG_BYTES } from "./config-limits.js";
import type { ConfigProblem } from "./config-problem.js";
import { readTextFile } from "./read-text-file.js";

export type ReadJsonFile =
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** A byte order mark at its beginning is passed over. */
export function readJsonFile(file: string): ReadJsonFile {
  const text = readTextFile(file, MAX_CONFIG_BYTES)?.replace(/^\uFEFF/, "");
  if (text === undefined) return refused("unreadable", "a file that can be read");
  try {
    return { kind: "read", value: JSON.parse(text) };
  } catch {
    return refused("bad-json", `JSON${placeOf(text)}`);
  }
}

function placeOf(text: string): string {
  const place = findJsonFault(text);
  return place === undefined
    ? ""
    : `, which it is not from line ${String(place.line)}, column ${String(place.column)} on`;
}

function refused(code: ConfigProblem["code"], expected: string): ReadJsonFile {
  return { kind: "refused", problems: [{ code, path: "", expected }] };
}
