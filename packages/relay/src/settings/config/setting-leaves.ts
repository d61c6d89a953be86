// The single values among the settings: the codec of each, and its JSON Schema. Rules that core checks after decoding are in the schema as
// well, for editors; a test holds both equal.

import {
  isAddressRange,
  type JsonObject,
  MAX_URL_LENGTH,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type RetrySchedule,
} from "@postrider/core";
import {
  EXPECTED_SCHEDULE,
  isRetrySchedule,
  MAX_STATIC_HEADERS,
  RESERVED_HEADER_PREFIXES,
  RESERVED_HEADERS,
} from "@postrider/core/engine";
import * as t from "io-ts";
import { MIN_TOKEN_LENGTH } from "../limits.js";
import {
  amount,
  certificate,
  connectionAge,
  flag,
  hours,
  leaf,
  MAX_CONNECTION_AGE_MS,
  milliseconds,
  mode,
  notificationKind,
  port,
  text,
} from "./leaves.js";
import type { SettingsOwner } from "./config-file.js";
import type { Setting } from "./setting.js";

/** The form of a reference, which may stand in place of every text, and is expanded before the value is decoded. */
const REFERENCE = "^(?:env|file):";

/** @internal */
export const anyText: Setting<string> = { codec: text, schema: { type: "string" } };
/** @internal */
export const flagSetting: Setting<boolean> = { codec: flag, schema: { type: "boolean" } };
/** @internal */
export const durationSetting: Setting<number> = {
  codec: milliseconds,
  schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
};
/** @internal */
export const connectionAgeSetting: Setting<number> = {
  codec: connectionAge,
  schema: { type: "integer", minimum: 1, maximum: MAX_CONNECTION_AGE_MS },
};
/** @internal */
export const hoursSetting: Setting<number> = { codec: hours, schema: { type: "number", exclusiveMinimum: 0 } };
/** @internal */
export const rateSetting: Setting<number> = { codec: amount, schema: { type: "number", exclusiveMinimum: 0 } };
/** @internal */
export const burstSetting: Setting<number> = { codec: amount, schema: { type: "number", minimum: 1 } };
/** @internal */
export const growthSetting: Setting<number> = { codec: amount, schema: { type: "number", minimum: 1 } };
/** @internal */
export const jitterSetting: Setting<number> = { codec: amount, schema: { type: "number", minimum: 0 } };
/** No file can hold one: the JSON Schema refuses every value. @internal */
export const scheduleSetting: Setting<RetrySchedule> = {
  codec: leaf(EXPECTED_SCHEDULE, isRetrySchedule),
  schema: { not: {} },
};
/** @internal */
export const portSetting: Setting<number> = { codec: port, schema: { type: "integer", minimum: 0, maximum: 65_535 } };
/** An empty text is refused: with an empty host, the server would listen on all addresses. @internal */
export const hostSetting: Setting<string> = patternSetting(
  "a host name or an address, such as 127.0.0.1 or ::1, without a scheme, a port, brackets and a slash",
  "^[^\\s:/\\[\\]]+$|^[\\da-fA-F]*:[\\da-fA-F]*:[\\da-fA-F:.]*(?:%[^\\s:/\\[\\]]+)?$",
);
/** @internal */
export const idSetting: Setting<string> = {
  codec: text,
  schema: { type: "string", minLength: 1, not: { enum: [".", ".."] } },
};
/** @internal */
export const destinationNameSetting: Setting<string> = {
  codec: text,
  schema: { type: "string", not: { const: "All" } },
};
/** @internal */
export const writeKeySetting: Setting<string> = {
  codec: text,
  schema: textLike(
    "^\\s*(?:sha256:[\\da-f]{64}|[^:]*[^:\\s][^:]*)\\s*$",
    "a write key without a colon, or sha256: and its digest",
  ),
};
/** @internal */
export const secretSetting: Setting<string> = {
  codec: text,
  schema: textLike("\\S", "a secret that is not blank"),
};
/** @internal */
export const settingsOwnerSetting: Setting<SettingsOwner> = {
  codec: leaf("file or store", (value): value is SettingsOwner => value === "file" || value === "store"),
  schema: { type: "string", anyOf: [{ enum: ["file", "store"] }, { pattern: REFERENCE }] },
};
/** @internal */
export const modeSetting: Setting<"cloud" | "device"> = {
  codec: mode,
  schema: { type: "string", anyOf: [{ const: "cloud" }, { pattern: REFERENCE }] },
};
/** @internal */
export const notificationKindSetting: Setting<NotificationKind> = {
  codec: notificationKind,
  schema: { type: "string", anyOf: [{ enum: NOTIFICATION_KINDS }, { pattern: REFERENCE }] },
};
/** @internal */
export const certificateSetting: Setting<string> = {
  codec: certificate,
  schema: textLike("-----BEGIN CERTIFICATE-----", certificate.name),
};
/** A short token could be guessed. @internal */
export const tokenSetting: Setting<string> = patternSetting(
  `a token of at least ${String(MIN_TOKEN_LENGTH)} characters, such as openssl rand -hex 16 makes`,
  `\\S[\\s\\S]{${String(MIN_TOKEN_LENGTH - 2)},}\\S`,
);
/** The names to which references in settings of a store may lead. @internal */
export const sharedNameSetting: Setting<string> = patternSetting(
  "a variable such as POSTRIDER_CRM, or a file such as postrider-secrets/crm; a * at the end stands for the rest",
  "^(?:POSTRIDER_[A-Z0-9_]*|(?:\\./)?(?:postrider-)?secrets/(?:\\w[\\w.-]*)?)\\*?$",
);
/** Two slashes begin an absolute path, where the author of `sqlite://./x.db` means the folder of the config. @internal */
export const storeSetting: Setting<string> = patternSetting(
  "memory:, or sqlite: and a path, such as sqlite:./postrider.db, without // after sqlite:, or a URL such as postgres://HOST/DATABASE",
  "^memory:$|^sqlite:(?!//).|^postgres(?:ql)?://.",
);
/** The JSON Schema checks the characters only. @internal */
export const addressRangeSetting: Setting<string> = {
  codec: leaf(
    "an IP address, or a range such as 10.0.0.0/8",
    (value): value is string => t.string.is(value) && isAddressRange(value),
  ),
  schema: textLike("^[\\da-fA-F.:]+(?:/\\d{1,3})?$", "an IP address, or a range such as 10.0.0.0/8"),
};
/** The JSON Schema checks the scheme, the length and the characters only. @internal */
export const urlSetting: Setting<string> = {
  codec: text,
  schema: textLike(
    `^[hH][tT][tT][pP][sS]?:[^\\u0000-\\u0020\\u007f#]{1,${String(MAX_URL_LENGTH)}}$`,
    "a full http or https URL without a fragment",
  ),
};
/** @internal */
export const headersSetting: Setting<Readonly<Record<string, string>>> = {
  codec: t.record(t.string, text, "an object of strings"),
  schema: {
    type: "object",
    maxProperties: MAX_STATIC_HEADERS,
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~\\dA-Za-z-]+$", not: { pattern: reservedHeaders() } },
    additionalProperties: textLike("^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$", "Latin-1 text without control characters"),
  },
};

/** A text with a pattern, which the codec and the schema share. */
function patternSetting(expected: string, pattern: string): Setting<string> {
  const regExp = new RegExp(pattern, "u");
  return {
    codec: leaf(expected, (value): value is string => t.string.is(value) && regExp.test(value)),
    schema: textLike(pattern, expected),
  };
}

/** `patternErrorMessage` is what editors show in place of the pattern. */
function textLike(pattern: string, expected: string): JsonObject {
  return { type: "string", pattern: `${REFERENCE}|${pattern}`, patternErrorMessage: `expected ${expected}` };
}

function reservedHeaders(): string {
  const names = [...RESERVED_HEADERS].map((name) => `${inAnyCase(name)}$`);
  return `^(?:${[...names, ...RESERVED_HEADER_PREFIXES.map(inAnyCase)].join("|")})`;
}

/** A JSON Schema has no flag for patterns without regard to case. */
function inAnyCase(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
