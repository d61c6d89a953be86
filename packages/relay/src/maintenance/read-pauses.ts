// Reads from the store which lanes operators have paused, those paused by way of other processes too.

import type { DestinationId, LanePause } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { LANES_PER_PAGE } from "../limits.js";
import type { AskPauses } from "../commits/storage.js";

/** Undefined if not all of them could be read, or if the loop that asks has stopped meanwhile. */
export async function readPauses(
  askPauses: AskPauses,
  shouldContinue: () => boolean,
): Promise<readonly DestinationId[] | undefined> {
  const paused: DestinationId[] = [];
  let page: readonly LanePause[];
  do {
    if (!shouldContinue()) return undefined;
    const after = paused.at(-1);
    const read = await askPauses((pauses) => pauses.list({ limit: LANES_PER_PAGE, ...defined({ after }) }));
    if (read.isErr()) return undefined;
    page = read.value;
    paused.push(...page.map(({ lane }) => lane));
  } while (page.length === LANES_PER_PAGE);
  return paused;
}
