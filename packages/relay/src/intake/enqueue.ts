// Stores messages whose places in the lanes are taken, in one commit with whatever else belongs to them. Then they enter
// their lanes, or, where nothing was stored, give their places back. Whose messages they are is not known here.

import type { Accepted, NewMessage } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import type { Written } from "../storage/part.js";
import type { StoreFault } from "../storage/storage.js";
import { enter } from "./enter.js";
import { giveBack } from "./reserve.js";

/**
 * What became of each message, in their order. Awaits where `map` would do: neverthrow's makes a generator for each, and V8
 * keeps what such a one has seen, here whole requests, until its next full collection.
 */
export async function storeMessages(
  context: RelayContext,
  messages: readonly NewMessage[],
  more: Partial<Written> = {},
): Promise<Result<readonly Accepted[], StoreFault>> {
  const stored = await context.commits.write({ ...more, accept: messages });
  if (stored.isErr()) {
    for (const message of messages) giveBack(context.lanes, message);
    return err(stored.error);
  }
  const { accepted, lease } = stored.value;
  for (const [index, message] of messages.entries()) enter(context, message, accepted[index], lease);
  return ok(accepted);
}
