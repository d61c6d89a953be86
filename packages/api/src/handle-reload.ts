// POST /api/reload: has the settings read again, and answers what was read, or every problem. Only for hosts that can read
// their settings again: it does not know where settings are.

import type { Problem } from "@postrider/core";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
import { type ApiCode, unavailableAnswer } from "./refuse.js";

/**
 * What became of the certificate of the server, which is read again with the settings, whether or not these are good. If the new
 * one was refused, for the reason in words, the one before is kept.
 */
export type CertificateOutcome = "replaced" | "unchanged" | { readonly refused: string };

/** What became of a reload. Only `configured` has changed settings. `certificate` is absent without TLS. */
export type ReloadOutcome =
  | {
      readonly kind: "configured";
      /** The number of sources and destinations that are in force now. */
      readonly sources: number;
      readonly destinations: number;
      /** The keys of the config whose values differ from those that the host runs with, until a restart. */
      readonly needsRestart: readonly string[];
      readonly certificate?: CertificateOutcome;
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly ReloadProblem[];
      readonly certificate?: CertificateOutcome;
    }
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

/** Answers `{ sources, destinations, needsRestart, certificate }`, or 422 with `problems`, `more` and `certificate`. */
export async function handleReload(reload: Reload | undefined): Promise<Answer> {
  if (reload === undefined) return notFoundAnswer();
  const outcome = await reload();
  switch (outcome.kind) {
    case "configured": {
      const { sources, destinations, needsRestart, certificate = null } = outcome;
      return jsonAnswer(200, { sources, destinations, needsRestart, certificate });
    }
    case "refused":
      return refusedAnswer(outcome.problems, outcome.certificate ?? null);
    case "stopped":
    case "superseded":
      return unavailableAnswer();
  }
}

function refusedAnswer(all: readonly ReloadProblem[], certificate: CertificateOutcome | null): Answer {
  const amount = all.length === 1 ? "1 problem" : `${String(all.length)} problems`;
  const message = `the config has ${amount}, and the settings in force are kept`;
  const error = { code: "bad-config" satisfies ApiCode, message };
  const problems = all.slice(0, MAX_PROBLEMS).map(({ code, path, expected }) => ({ code, path, expected }));
  const more = all.length - problems.length;
  return jsonAnswer(422, { success: false, ...error, error, problems, more, certificate });
}
