// The findings of `check`, and their output: lines for a person, or a line of JSON for each finding. The findings decide the exit status.

import { countOf } from "../format-count.js";
import { defined } from "@postrider/core/engine";
import type { ExitCode, Host } from "../host.js";
import type { ConfigProblem } from "../../config/config-problem.js";
import type { ConfigWarning } from "../../config/config-warning.js";
import { MAX_PROBLEMS_SHOWN } from "../../config/limits.js";
import type { Line, StyledText } from "../terminal/line.js";
import { tableLines } from "../terminal/table.js";

/**
 * `problem`: serve refuses the config. `fault`: a check outside of the config has failed. `warning`: the config is valid,
 * but probably does not do what was meant. `note`, `ok`: for information.
 */
export type FindingKind = "problem" | "fault" | "warning" | "note" | "ok";

export interface CheckFinding {
  readonly kind: FindingKind;
  readonly code: string;
  /** From the root of the config; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** The advice: an addition or a change. */
  readonly change?: string;
}

export function problemFinding({ code, path, expected }: ConfigProblem): CheckFinding {
  return { kind: "problem", code, path, message: `expected ${expected}` };
}

export function warningFinding({ code, path, effect, change }: ConfigWarning): CheckFinding {
  return { kind: "warning", code, path, message: effect, change };
}

/** Writes a line of JSON for each finding to standard output. */
export function writeJsonLines(findings: readonly CheckFinding[], { out }: Pick<Host, "out">): void {
  for (const { kind, code, path, message, change } of findings) {
    out(JSON.stringify({ kind, code, path, message, ...defined({ change }) }));
  }
}

/** Writes a line for each finding of the config to standard error, up to `MAX_PROBLEMS_SHOWN`, and the number of the others. */
export function writeLines(findings: readonly CheckFinding[], file: string, { err }: Pick<Host, "err">): void {
  for (const finding of findings.slice(0, MAX_PROBLEMS_SHOWN)) err(lineOf(finding, file));
  const more = findings.length - MAX_PROBLEMS_SHOWN;
  if (more > 0) err(`${file}: ${countOf(more, "more finding is", "more findings are")} not shown`);
}

function lineOf({ kind, code, path, message, change }: CheckFinding, file: string): Line {
  const line = `${path === "" ? file : path}: ${message}${change === undefined ? "" : `; ${change}`} (${code})`;
  return kind === "problem" ? line : [{ text: `${kind}:`, style: MARKS[kind].style }, ` ${line}`];
}

const MARKS: Readonly<Record<FindingKind, StyledText>> = {
  problem: { text: "bad", style: "bad" },
  fault: { text: "bad", style: "bad" },
  warning: { text: "warn", style: "caution" },
  note: { text: "note", style: "quiet" },
  ok: { text: "ok", style: "good" },
};

const COLUMNS = ["result", "what", "found"].map((heading) => ({ heading }));

/** A table of the findings of `--deep`. */
export function tableOf(findings: readonly CheckFinding[]): readonly Line[] {
  const rows = findings.map(({ kind, path, message, change }) => [
    MARKS[kind],
    path,
    change === undefined ? message : `${message}; ${change}`,
  ]);
  return rows.length === 0 ? [] : tableLines(COLUMNS, rows);
}

/** 2 for a config that serve refuses, and with `isStrict` for warnings; 1 for another fault. */
export function exitCodeOf(findings: readonly CheckFinding[], isStrict: boolean): ExitCode {
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has("problem")) return 2;
  if (kinds.has("fault")) return 1;
  return isStrict && kinds.has("warning") ? 2 : 0;
}
