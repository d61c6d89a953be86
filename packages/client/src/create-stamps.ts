// Creates the default fields of each call: an id, a time, and the name of this library. A time is formatted, and the timers are
// looked at, at most once per millisecond.

import type { EpochMs, Random } from "@postrider/core";
import { formatTimestamp, writeMessageId, type WriteStamp } from "@postrider/core/batch";
import type { Timers } from "./create-timers.js";
import { LIBRARY } from "./library.js";

export function createNextStamp(clock: Timers, random: Random): () => WriteStamp {
  let writtenAt: EpochMs | undefined;
  let timestamp = "";
  return () => {
    const nowMs = clock.wall();
    if (nowMs !== writtenAt) {
      timestamp = formatTimestamp(nowMs);
      writtenAt = nowMs;
      clock.look();
    }
    return { messageId: writeMessageId(random.bytes(ID_BYTES)), timestamp, library };
  };
}

const library = JSON.stringify(LIBRARY);

const ID_BYTES = 16;
