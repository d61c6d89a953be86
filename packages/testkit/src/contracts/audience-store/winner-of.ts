// Calls that are made at the same time, of which one may take effect.

import type { AudienceRecord } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";

/**
 * The one of some rivals whose call, made at the same time as the others', is told that it took effect. A store may
 * let either of two calls win, since they may go over two connections.
 */
export async function winnerOf(
  rivals: readonly AudienceRecord[],
  call: (rival: AudienceRecord) => Promise<boolean>,
): Promise<AudienceRecord> {
  const answers = await Promise.all(rivals.map(call));
  const winners = rivals.filter((_, index) => answers[index]);
  expectEqual(winners.length, 1, "the calls that took effect");
  return expectPresent(winners[0], "the call that took effect");
}
