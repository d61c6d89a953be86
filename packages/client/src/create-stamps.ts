// Creates the default fields of each call: an id, a time, and the name of this library. A time is formatted at most
// once per millisecond.

import type { Clock, EpochMs, Random } from "@postrider/core";
import { formatTimestamp, writeMessageId, type WriteStamp } from "@postrider/core/batch";
import { LIBRARY } from "./library.js";

export function createNextStamp(clock: Clock, random: Random): () => WriteStamp {
  let writtenAt: EpochMs | undefined;
  let timestamp = "";
  return () => {
    const now = clock.wall();
    if (now !== writtenAt) timestamp = formatTimestamp(now);
    writtenAt = now;
    return { messageId: writeMessageId(random.bytes(ID_BYTES)), timestamp, library };
  };
}

const library = JSON.stringify(LIBRARY);

const ID_BYTES = 16;
