// Gives each call what it does not bring itself: an id, a time, and the name of this library. Randomness is drawn for many
// ids at once, and a time is written once for all calls of its millisecond.

import type { Clock, EpochMs, Random } from "@postrider/core";
import { formatTimestamp, writeMessageId, type WriteStamp } from "@postrider/core/batch";
import { LIBRARY } from "./library.js";
import { IDS_AT_ONCE } from "./limits.js";

export function createStamps(clock: Clock, random: Random): () => WriteStamp {
  const nextMessageId = createMessageIds(random);
  let writtenAt: EpochMs | undefined;
  let timestamp = "";
  return () => {
    const now = clock.wall();
    if (now !== writtenAt) timestamp = formatTimestamp(now);
    writtenAt = now;
    return { messageId: nextMessageId(), timestamp, library };
  };
}

const library = JSON.stringify(LIBRARY);

const ID_BYTES = 16;

function createMessageIds(random: Random): () => string {
  let drawn = random.bytes(0);
  let used = 0;
  return () => {
    if (used === drawn.length) {
      drawn = random.bytes(ID_BYTES * IDS_AT_ONCE);
      used = 0;
    }
    used += ID_BYTES;
    return writeMessageId(drawn, used - ID_BYTES);
  };
}
