// Reads a scenario file: text, JSON, and what codec makes of it.

import { decodeScenario, type Scenario } from "@postrider/codec";
import { readFileSync } from "node:fs";
import type { ConfigProblem } from "../config-problem.js";

export type ReadScenario =
  | { readonly kind: "read"; readonly scenario: Scenario }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

export function readScenario(file: string): ReadScenario {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return refused("unreadable", "a file that can be read");
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return refused("bad-json", "JSON");
  }
  const decoded = decodeScenario(raw);
  return decoded.kind === "refused" ? decoded : { kind: "read", scenario: decoded.value };
}

function refused(code: ConfigProblem["code"], expected: string): ReadScenario {
  return { kind: "refused", problems: [{ code, path: "", expected }] };
}
