// Asks a busy store again a few times, each time a little later; all else is an answer. Only for questions that may be
// asked twice.

import type { Clock } from "@postrider/core";
import type { Result } from "neverthrow";
import { BUSY_DELAYS_MS } from "../limits.js";
import { pause } from "./pause.js";
import type { StoreFault } from "./storage.js";

export async function whileBusy<T>(
  clock: Clock,
  ask: () => PromiseLike<Result<T, StoreFault>>,
): Promise<Result<T, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await ask();
    if (result.isOk() || result.error.code !== "busy") return result;
    await pause(clock, delayMs);
  }
  return ask();
}
