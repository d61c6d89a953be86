// Repeats a request to a store that is busy, a few times, with a longer delay each time; any other outcome is returned. Only
// for requests that are safe to repeat.

import type { Clock } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import type { Result } from "neverthrow";
import { BUSY_DELAYS_MS } from "../limits.js";
import type { StoreFault } from "./store-fault.js";

export async function whileBusy<T>(
  clock: Clock,
  ask: () => PromiseLike<Result<T, StoreFault>>,
): Promise<Result<T, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await ask();
    if (result.isOk() || result.error.code !== "busy") return result;
    await pauseFor(clock, delayMs);
  }
  return ask();
}
