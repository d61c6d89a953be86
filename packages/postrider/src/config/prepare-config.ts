// Does the long work on a config before it comes into force: checks its workspace, indexes it, and finds its warnings. No
// long work is left for the moment at which it comes into force (decision: reloads in slices).

import type { Config } from "@postrider/relay/settings";
import type { Problem } from "@postrider/core";
import type { Steps } from "@postrider/core/engine";
import { type CheckedSettings, checkSettingsInSteps } from "@postrider/relay";
import type { ConfigWarning } from "./config-warning.js";
import { configWarningsInSteps } from "./config-warnings.js";

export interface PreparedConfig {
  readonly kind: "ok";
  readonly config: Config;
  readonly settings: CheckedSettings;
  readonly warnings: readonly ConfigWarning[];
}

export interface RefusedConfig {
  readonly kind: "refused";
  readonly problems: readonly Problem[];
}

/**
 * The prepared config, or all problems of its workspace. In steps of one destination. `vetsAddresses` is false if the host brings an
 * HTTP port.
 */
export function* prepareConfig(config: Config, vetsAddresses = true): Steps<PreparedConfig | RefusedConfig> {
  const checked = yield* checkSettingsInSteps(config.workspace);
  if (checked.isErr()) return { kind: "refused", problems: checked.error };
  const warnings = yield* configWarningsInSteps(config, vetsAddresses);
  return { kind: "ok", config, settings: checked.value, warnings };
}
