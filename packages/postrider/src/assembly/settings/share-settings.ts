// Connects what concerns the settings of a server: what puts them in force, what follows the store, and what shows and takes them
// over HTTP. Starts nothing.

import type { SettingsDesk } from "@postrider/api";
import type { ListenAddress } from "@postrider/undici";
import { documentReferences } from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import type { DeliveryParts } from "../delivery-parts.js";
import { createReconfigurer, type Reconfigurer } from "../reconfigure.js";
import { createDraftProbes } from "./draft-probes.js";
import { createDraftTests } from "./draft-tests.js";
import { createSettingsFollower, type SettingsBegun, type SettingsFollower } from "./follow-settings.js";
import { createSettingsDesk } from "./settings-desk.js";

export interface SharedSettings {
  readonly reconfigurer: Reconfigurer;
  /** Undefined if the file owns the settings. */
  readonly follower: SettingsFollower | undefined;
  readonly desk: SettingsDesk;
}

export interface ShareOptions {
  /** Undefined if the file owns the settings. */
  readonly begun: SettingsBegun | undefined;
  readonly references: References;
  /** Where this server listens. */
  readonly refuse: () => readonly ListenAddress[];
}

export function shareSettings(parts: DeliveryParts, options: ShareOptions): SharedSettings {
  const { clock, random, logger, settings } = parts;
  const { begun } = options;
  const references = documentReferences(options.references, () => settings.config.server);
  const reconfigurer = createReconfigurer(parts);
  const shared = { reconfigurer, references: options.references, clock, logger, config: settings.config };
  const follower = begun && createSettingsFollower({ ...shared, begun });
  const sendTest = createDraftTests({ http: parts.http, clock, random });
  const probe = createDraftProbes({
    clock,
    logger,
    network: () => settings.config.server.network,
    refuse: options.refuse,
  });
  const stored = begun && follower && { settings: begun.settings, follower };
  const desk = createSettingsDesk({ stored, inForce: settings, references, clock, random, sendTest, probe });
  return { reconfigurer, follower, desk };
}
