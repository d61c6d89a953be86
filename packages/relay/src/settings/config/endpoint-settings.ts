// The keys that an endpoint of a destination and a hook have in common: a URL with its headers, and the secrets that
// sign; and the table of the keys of a hook, to which notifications are sent (decision: notifications).

import * as t from "io-ts";
import { text } from "./leaves.js";
import { described, listSetting, type Setting, objectSetting } from "./setting.js";
import { headersSetting, secretSetting, urlSetting, flagSetting, notificationKindSetting } from "./setting-leaves.js";
import type { NotifyEntry } from "./config-file.js";

/** The keys of a URL that is called. @internal */
export const endpointFields: {
  readonly required: { readonly url: Setting<string> };
  readonly optional: { readonly headers: Setting<Readonly<Record<string, string>>> };
} = {
  required: {
    url: described(
      urlSetting,
      "A full http or https URL of at most 2,048 characters, without credentials and without a fragment.",
    ),
  },
  optional: {
    headers: described(
      headersSetting,
      "At most five static headers, such as Authorization; none that delivery sets itself.",
    ),
  },
};

/** One secret, or several, newest first. @internal */
export const secretsSetting: Setting<string | readonly string[]> = createSecretsSetting();

/** Refuses an empty list: with it, messages would silently be sent unsigned. */
function createSecretsSetting(): Setting<string | readonly string[]> {
  const expected = "a secret, or a list of at least one secret; leave out sharedSecret to send unsigned messages";
  const { codec, schema } = listSetting(expected, secretSetting, { minItems: 1 });
  const nonEmpty = new t.Type<readonly string[], unknown>(
    expected,
    (value): value is readonly string[] => codec.is(value) && value.length > 0,
    (value, context) =>
      Array.isArray(value) && value.length === 0 ? t.failure(value, context) : codec.validate(value, context),
    t.identity,
  );
  return textOrElse({ codec: nonEmpty, schema }, secretSetting);
}

/** A text is valid; any other value is checked by `other`. A union of io-ts would name its branches in the paths. @internal */
export function textOrElse<A>(other: Setting<A>, { schema }: Setting<string>): Setting<string | A> {
  const codec = new t.Type<string | A, unknown>(
    other.codec.name,
    (value): value is string | A => text.is(value) || other.codec.is(value),
    (value, context) => (text.is(value) ? t.success(value) : other.codec.validate(value, context)),
    t.identity,
  );
  return { codec, schema: { anyOf: [schema, other.schema] } };
}

/** @internal */
export const notifySetting: Setting<NotifyEntry> = objectSetting("a hook: an object with url", {
  required: endpointFields.required,
  optional: {
    ...endpointFields.optional,
    sharedSecret: described(
      secretsSetting,
      "Signs its notifications: one secret, or several, newest first. If absent, they are not signed.",
    ),
    standardWebhooks: described(flagSetting, "Whether the headers of Standard Webhooks are sent as well.", false),
    on: described(
      listSetting("a list of kinds", notificationKindSetting, { minItems: 1 }),
      "The kinds of notifications that it gets. If absent, all.",
    ),
  },
});
