// Finds options that no client has, so that a misspelt one is seen when the program starts and not by calls that go out
// otherwise than was meant. Knows names only; what an option may be is checked in core. Short, since browsers load it.

import type { OptionProblem } from "@postrider/core/batch";
import type { ClientOptions } from "./client.js";

const OPTIONS =
  "endpoint flushAt size flushAfterMs timeoutMs maxRetries firstRetryMs maxRetryMs maxQueued maxInFlight closeTimeoutMs whenFull gzip transport clock random logger onQueued onDelivered onFailed";
const ROOM = "calls bytes";

/** A problem for each option, and each part of `maxQueued`, that there is not. One that is undefined says nothing. */
export function unknownOptions(options: ClientOptions): readonly OptionProblem[] {
  return [...unknownIn(options, OPTIONS, ""), ...unknownIn(options.maxQueued ?? {}, ROOM, "maxQueued.")];
}

function unknownIn(given: object, text: string, place: string): readonly OptionProblem[] {
  const names = text.split(" ");
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]) => ({ path: place + name, expected: `${nearest(name, names, place)}: there is no such option` }));
}

/** The name that begins as what was written for the longest, in any case; nothing where not even three letters agree. */
function nearest(written: string, names: readonly string[], place: string): string {
  for (let length = written.length; length > 2; length -= 1) {
    const start = written.slice(0, length).toLowerCase();
    const name = names.find((one) => one.toLowerCase().startsWith(start));
    if (name !== undefined) return place + name;
  }
  return "nothing";
}
