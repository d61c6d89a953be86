// Checks the options of a client and reads its settings from them. Every problem is reported together: core finds bad values, and this
// file the names that no client has, so that a misspelt one is seen when the program starts.

import { type BatchSettings, checkOptions, createOptionsError, type OptionProblem } from "@postrider/core/batch";
import type { ClientOptions } from "./client.js";

const OPTIONS =
  "endpoint flushAt size flushAfterMs timeoutMs maxRetries firstRetryMs maxRetryMs maxQueued maxInFlight closeTimeoutMs whenFull gzip transport clock random logger onQueued onDelivered onFailed";

/** Throws a TypeError with every problem if options are invalid. `without` is the name of an option that this client does not have. */
export function clientSettings(writeKey: string, options: ClientOptions, without = ""): BatchSettings {
  const checked = checkOptions(writeKey, options);
  const unknown = [
    ...unknownIn(options, OPTIONS.replace(without, ""), ""),
    ...unknownIn(options.maxQueued ?? {}, "calls bytes", "maxQueued."),
  ];
  if (checked.kind === "ok" && unknown.length === 0) return checked.settings;
  const problems = checked.kind === "refused" ? checked.problems : [];
  throw createOptionsError("createClient", [...problems, ...unknown]);
}

/** A problem for each name that is not among `knownNames`, which have blanks between them. Ignores undefined values. */
function unknownIn(options: object, knownNames: string, pathPrefix: string): readonly OptionProblem[] {
  const names = knownNames.split(" ");
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]) => ({ path: pathPrefix + name, expected: `one of ${names.join(", ")}` }));
}
