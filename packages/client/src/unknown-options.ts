// Finds options that no client has, so that a misspelt one is reported when the program starts. Knows names only: core
// checks the values. The file is short, since browsers load it.

import type { OptionProblem } from "@postrider/core/batch";
import type { ClientOptions } from "./client.js";

const OPTIONS =
  "endpoint flushAt size flushAfterMs timeoutMs maxRetries firstRetryMs maxRetryMs maxQueued maxInFlight closeTimeoutMs whenFull gzip transport clock random logger onQueued onDelivered onFailed";
const MAX_QUEUED_FIELDS = "calls bytes";

/** A problem for each unknown option, that of `without` included, and each unknown part of `maxQueued`. Ignores what is undefined. */
export function unknownOptions(options: ClientOptions, without = ""): readonly OptionProblem[] {
  return [
    ...unknownIn(options, OPTIONS.replace(without, ""), ""),
    ...unknownIn(options.maxQueued ?? {}, MAX_QUEUED_FIELDS, "maxQueued."),
  ];
}

function unknownIn(given: object, text: string, place: string): readonly OptionProblem[] {
  const names = text.split(" ");
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]) => ({ path: place + name, expected: `${nearest(name, names, place)}: there is no such option` }));
}

/** The name with the longest common start, ignoring case; `nothing` if fewer than three letters are common. */
function nearest(written: string, names: readonly string[], place: string): string {
  for (let length = written.length; length > 2; length -= 1) {
    const start = written.slice(0, length).toLowerCase();
    const name = names.find((one) => one.toLowerCase().startsWith(start));
    if (name !== undefined) return place + name;
  }
  return "nothing";
}
