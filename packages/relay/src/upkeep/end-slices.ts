// Ends what waits in a lane that nobody may claim, slice by slice.

import type { EndRequest } from "@postrider/core";
import { ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { MAX_SLICES, SLICE } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";

/** Answers how many were ended. */
export async function endSlices(
  context: RelayContext,
  request: Omit<EndRequest, "limit">,
): Promise<Result<number, StoreFault>> {
  const { lane, reason } = request;
  let total = 0;
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const ended = await context.storage.ask((store) => store.end({ ...request, limit: SLICE }, context.clock.wall()));
    if (ended.isErr()) return ended;
    total += ended.value;
    if (ended.value < SLICE) break;
  }
  if (total > 0) context.tell({ kind: "ended", destination: lane, reason, deliveries: total });
  return ok(total);
}
