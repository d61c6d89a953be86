// Settings that have been checked and laid out, so that putting them into force takes no time: a host can have the long part
// done in slices and the switch in one go (decision: reloads in slices).

import type { Problem, Workspace } from "@postrider/core";
import { checkWorkspaceInSteps, runSteps, type Steps } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { indexSettings, type SettingsIndex } from "./state/settings-in-force.js";

/** Made by `checkSettings` and `checkSettingsInSteps` alone; good for any number of relays. */
export interface CheckedSettings extends SettingsIndex {
  readonly kind: "checked";
}

/** Settings that a relay can put into force at once, or everything that is wrong with them. */
export function checkSettings(workspace: Workspace): Result<CheckedSettings, readonly Problem[]> {
  return runSteps(checkSettingsInSteps(workspace));
}

/** The same in steps of one source or one destination. */
export function* checkSettingsInSteps(workspace: Workspace): Steps<Result<CheckedSettings, readonly Problem[]>> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  if (problems.length > 0) return err(problems);
  const index = yield* indexSettings(workspace);
  return ok({ kind: "checked", ...index });
}

/** Checks what has not been checked yet. @internal */
export function demandChecked(settings: Workspace | CheckedSettings): Result<CheckedSettings, readonly Problem[]> {
  return "kind" in settings ? ok(settings) : checkSettings(settings);
}
