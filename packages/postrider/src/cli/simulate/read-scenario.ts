// Reads a scenario file: parses its JSON and decodes the value with codec.

import { decodeScenario, type Scenario } from "@postrider/codec";
import type { ConfigProblem } from "../../config/config-problem.js";
import { readJsonFile } from "../../config/read-json-file.js";

export type ReadScenarioResult =
  | { readonly kind: "ok"; readonly scenario: Scenario }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

export function readScenario(file: string): ReadScenarioResult {
  const raw = readJsonFile(file);
  if (raw.kind === "refused") return raw;
  const decoded = decodeScenario(raw.value);
  return decoded.kind === "refused" ? decoded : { kind: "ok", scenario: decoded.value };
}
