// POST /api/reload: has the settings read again, and answers a summary of them, or every problem. Only for hosts that can read their
// settings again.

import { type Answer, jsonAnswer, notFoundAnswer } from "../index.js";
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
import { PROBLEMS, refuseProblems, type ReloadProblem } from "./settings/settings-json.js";
import { unavailableAnswer } from "./refuse.js";

/**
 * The outcome for the certificate of the server, which is read again with the settings, even if these have problems. If the new one was
 * refused, for the reason in words, the previous one is kept.
 */
export type CertificateOutcome = "replaced" | "unchanged" | { readonly refused: string };

/** The outcome of a reload. Only `configured` has changed settings. `certificate` is absent without TLS. */
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

export const RELOAD: ApiOperation = {
  id: "reload",
  summary: "Has the config read again.",
  answer: { status: 200, description: "what of the config is in force now", schema: CONFIGURED },
  refusals: ["bad-config", "not-found", "store-unavailable"],
  beside: { "bad-config": { problems: PROBLEMS, more: integerSchema(), certificate: CERTIFICATE } },
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
      return refuseProblems(outcome.problems, {
        code: "bad-config",
        say: (amount) => `the config has ${amount}, and the settings in force are kept`,
        beside: { certificate: outcome.certificate ?? null },
      });
    case "stopped":
    case "superseded":
      return unavailableAnswer();
  }
}
