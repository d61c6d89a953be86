// Settings that are checked and indexed, so that a relay can put them into force in a few milliseconds: a host can
// check settings beforehand, in steps with other work in between (decision: reloads in slices).

import type { Problem, Workspace } from "@postrider/core";
import { checkWorkspaceInSteps, runSteps, type Steps } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { indexSettings, type SettingsIndex } from "./state/settings-in-force.js";

/**
 * Settings without problems, and their index. Made only by `checkSettings` and `checkSettingsInSteps`; can be used for
 * any number of relays.
 */
export interface CheckedSettings extends SettingsIndex {
  readonly kind: "checked";
}

/** Checks settings. Returns settings that a relay can put into force at once, or all problems. */
export function checkSettings(workspace: Workspace): Result<CheckedSettings, readonly Problem[]> {
  return runSteps(checkSettingsInSteps(workspace));
}

/** Does the same as `checkSettings`, in steps of one source or one destination. */
export function* checkSettingsInSteps(workspace: Workspace): Steps<Result<CheckedSettings, readonly Problem[]>> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  if (problems.length > 0) return err(problems);
  const index = yield* indexSettings(workspace);
  return ok({ kind: "checked", ...index });
}

/** Checks settings that are not checked yet. @internal */
export function demandChecked(settings: Workspace | CheckedSettings): Result<CheckedSettings, readonly Problem[]> {
  return "kind" in settings ? ok(settings) : checkSettings(settings);
}
