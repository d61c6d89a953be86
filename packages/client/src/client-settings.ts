// Checks the options of a client and reads its settings from them. Every problem is reported together.

import { type BatchSettings, checkOptions, createOptionsError } from "@postrider/core/batch";
import type { ClientOptions } from "./client.js";
import { unknownOptions } from "./unknown-options.js";

/** Throws a TypeError with every problem if options are invalid. */
export function clientSettings(writeKey: string, options: ClientOptions, without?: string): BatchSettings {
  const checked = checkOptions(writeKey, options);
  const unknown = unknownOptions(options, without);
  if (checked.kind === "ok" && unknown.length === 0) return checked.settings;
  const known = checked.kind === "refused" ? checked.problems : [];
  throw createOptionsError("createClient", [...known, ...unknown]);
}
