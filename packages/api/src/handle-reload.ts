// POST /api/reload: has the settings read again, and answers what was read, or every problem. Only for hosts that can read
// their settings again: it does not know where settings are.

import type { Problem } from "@postrider/core";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
import { type ApiCode, unavailableAnswer } from "./refuse.js";

/** What became of a reload. Only `configured` has changed anything. */
export type ReloadOutcome =
  | {
      readonly kind: "configured";
      /** The number of sources and destinations that are in force now. */
      readonly sources: number;
      readonly destinations: number;
      /** The keys of the config that have changed and keep their former values until a restart. */
      readonly needsRestart: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly ReloadProblem[] }
  /** The host is being stopped, or a later config came first. */
  | { readonly kind: "stopped" | "superseded" };

/** Like `Problem`, also with the codes of a file that cannot be read. No value of the settings is in it. */
export interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

/** At most this number of problems is answered; `more` is the number of the others. */
const MAX_PROBLEMS = 200;

/** Reads the settings again; see `ApiOptions.reload`. */
export type Reload = () => Promise<ReloadOutcome>;

/** Answers `{ sources, destinations, needsRestart }`, or 422 with `problems` and `more`. */
export async function handleReload(reload: Reload | undefined): Promise<Answer> {
  if (reload === undefined) return notFoundAnswer();
  const outcome = await reload();
  switch (outcome.kind) {
    case "configured": {
      const { sources, destinations, needsRestart } = outcome;
      return jsonAnswer(200, { sources, destinations, needsRestart });
    }
    case "refused":
      return refusedAnswer(outcome.problems);
    case "stopped":
    case "superseded":
      return unavailableAnswer();
  }
}

function refusedAnswer(all: readonly ReloadProblem[]): Answer {
  const message = `the config has ${String(all.length)} problems, and the settings in force are kept`;
  const error = { code: "bad-config" satisfies ApiCode, message };
  const problems = all.slice(0, MAX_PROBLEMS).map(({ code, path, expected }) => ({ code, path, expected }));
  return jsonAnswer(422, { success: false, ...error, error, problems, more: all.length - problems.length });
}
