// Does the long work on a config before it comes into force: checks its workspace, indexes it, finds forbidden endpoints. No
// long work is left for the moment at which it comes into force (decision: reloads in slices).

import type { Config } from "@postrider/codec";
import type { Problem } from "@postrider/core";
import type { Steps } from "@postrider/core/engine";
import { type CheckedSettings, checkSettingsInSteps } from "@postrider/relay";
import { type ForbiddenEndpoint, forbiddenEndpointsInSteps } from "./forbidden-endpoints.js";

export interface PreparedConfig {
  readonly kind: "ok";
  readonly config: Config;
  readonly settings: CheckedSettings;
  readonly forbidden: readonly ForbiddenEndpoint[];
}

export interface RefusedConfig {
  readonly kind: "refused";
  readonly problems: readonly Problem[];
}

/** The prepared config, or all problems of its workspace. In steps of one destination. */
export function* prepareConfig(config: Config): Steps<PreparedConfig | RefusedConfig> {
  const checked = yield* checkSettingsInSteps(config.workspace);
  if (checked.isErr()) return { kind: "refused", problems: checked.error };
  const forbidden = yield* forbiddenEndpointsInSteps(config);
  return { kind: "ok", config, settings: checked.value, forbidden };
}
