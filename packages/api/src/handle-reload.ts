// POST /api/reload: has the settings read again, and answers what was read, or every problem. Only for hosts that can read
// their settings again: it does not know where settings are.

import type { Problem } from "@postrider/core";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
import {
  integerSchema,
  listSchema,
  objectSchema,
  type Of,
  oneOf,
  orNull,
  textSchema,
  wordSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { type ApiCode, docsOf, unavailableAnswer } from "./refuse.js";

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

const CERTIFICATE = orNull(
  oneOf(wordSchema("replaced"), wordSchema("unchanged"), objectSchema({ refused: textSchema() })),
);
const CONFIGURED = objectSchema({
  sources: integerSchema(),
  destinations: integerSchema(),
  needsRestart: listSchema(textSchema()),
  certificate: CERTIFICATE,
});
const PROBLEM = objectSchema({ code: textSchema(), path: textSchema(), expected: textSchema() });

export const RELOAD: ApiOperation = {
  id: "reload",
  summary: "Has the config read again.",
  answer: { status: 200, description: "what of the config is in force now", schema: CONFIGURED },
  refusals: ["bad-config", "not-found", "store-unavailable"],
  beside: { "bad-config": { problems: listSchema(PROBLEM), more: integerSchema(), certificate: CERTIFICATE } },
};

/** Answers `{ sources, destinations, needsRestart, certificate }`, or 422 with `problems`, `more` and `certificate`. */
export async function handleReload(reload: Reload | undefined): Promise<Answer> {
  if (reload === undefined) return notFoundAnswer();
  const outcome = await reload();
  switch (outcome.kind) {
    case "configured": {
      const { sources, destinations, needsRestart, certificate = null } = outcome;
      const configured: Of<typeof CONFIGURED> = { sources, destinations, needsRestart, certificate };
      return jsonAnswer(200, configured);
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
  const code = "bad-config" satisfies ApiCode;
  const problems = all.slice(0, MAX_PROBLEMS).map(({ code, path, expected }) => ({ code, path, expected }));
  const more = all.length - problems.length;
  return jsonAnswer(422, {
    success: false,
    code,
    message,
    error: { code, message, docs: docsOf(code) },
    problems,
    more,
    certificate,
  });
}
