// The table of the keys of a hook, which is told of trouble (decision: notifications).

import { endpointFields, secretsSetting } from "./endpoint-settings.js";
import { described, listSetting, objectSetting, type Setting } from "./setting.js";
import { flagSetting, notificationKindSetting } from "./setting-leaves.js";
import type { NotifyEntry } from "./workspace-file.js";

/** @internal */
export const notifySetting: Setting<NotifyEntry> = objectSetting("a hook: an object with url", {
  required: endpointFields.required,
  optional: {
    ...endpointFields.optional,
    sharedSecret: described(
      secretsSetting,
      "Signs what it is told: one secret, or several, newest first. If absent, it is not signed.",
    ),
    standardWebhooks: described(flagSetting, "Whether the headers of Standard Webhooks are sent as well.", false),
    on: described(
      listSetting("a list of kinds", notificationKindSetting, { minItems: 1 }),
      "What it is told. If absent, everything.",
    ),
  },
});
