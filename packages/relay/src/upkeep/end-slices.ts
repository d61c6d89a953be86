// Ends what waits in a lane that nobody may claim, slice by slice.

import type { EndRequest } from "@postrider/core";
import type { Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { SLICE } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import { inSlices } from "./in-slices.js";

/** Answers how many were ended. */
export async function endSlices(
  context: RelayContext,
  request: Omit<EndRequest, "limit">,
  mayGoOn: () => boolean,
): Promise<Result<number, StoreFault>> {
  const { clock, storage, tell } = context;
  const endSlice = () => storage.ask((store) => store.end({ ...request, limit: SLICE }, clock.wall()));
  const ended = await inSlices(context, endSlice, mayGoOn);
  const { lane: destination, reason } = request;
  if (ended.isOk() && ended.value > 0) tell({ kind: "ended", destination, reason, deliveries: ended.value });
  return ended;
}
