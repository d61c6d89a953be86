// What the store of a config is like, as `check --deep` finds it.

import { readConfig } from "../../config/read-config.js";
import type { FindingKind } from "../check/check-finding.js";
import { checkStore } from "../check/check-store.js";
import type { Host } from "../host.js";
import { badFinding, type Finding } from "./finding.js";

export async function diagnoseStore(file: string, host: Host): Promise<readonly Finding[]> {
  const read = readConfig(file, (name) => host.env(name));
  if (read.kind === "refused") return [badFinding(`${file} is refused: postrider check --config ${file} says why`)];
  const findings = await checkStore(read.config.server.store, host);
  return findings.map(({ kind, message, change }) => ({
    kind: KINDS[kind],
    text: `store: ${message}${change === undefined ? "" : `; ${change}`}`,
  }));
}

/** What may be as it is meant is for the operator to judge. */
const KINDS: Readonly<Record<FindingKind, Finding["kind"]>> = {
  problem: "bad",
  fault: "bad",
  warning: "open",
  note: "open",
  ok: "ok",
};
