// Wraps the ports of a relay so that what it asks and is answered is recorded, in a ring bounded in bytes, and can be saved at
// any time. Does not know a relay: the relay begins its segments itself (decision: traces).

import type { RecordablePorts, RelayRecorder } from "@postrider/core";
import { writeTrace } from "../format/write-trace.js";
import { afterPromises } from "../later-turn.js";
import type { TraceBodies } from "../trace.js";
import { createRing } from "./ring.js";
import { createSegment } from "./segment.js";

/** How much is recorded, and what is written of it. */
export interface RecordOptions {
  /** About how much memory the recording may use, in bytes; 64 MiB if absent. The oldest part is dropped. */
  readonly maxBytes?: number;
  /** What a saved trace has of bodies, calls and user ids; `digest` if absent. */
  readonly bodies?: TraceBodies;
}

/** Ports to create a relay on, and the means to save what it did. */
export interface Recording<Ports extends RecordablePorts = RecordablePorts> {
  /** For `createRelay({ workspace, ...ports })`. The host goes on to use its own clock and stores, and closes them. */
  readonly ports: Ports & { readonly recorder: RelayRecorder };
  /** The trace of what is in the ring now, as the bytes of a file. */
  readonly saveTrace: () => Promise<Uint8Array>;
}

const DEFAULT_MAX_BYTES = 64 * 1_024 * 1_024;

/**
 * Records one relay. Each answer of a port reaches the relay in a separate event-loop turn. A host must not call the relay
 * from `observe` or from its logger.
 */
export function recordPorts<Ports extends RecordablePorts>(
  ports: Ports,
  { maxBytes = DEFAULT_MAX_BYTES, bodies = "digest" }: RecordOptions = {},
): Recording<Ports> {
  const ring = createRing(maxBytes);
  const recorder: RelayRecorder = {
    begin: (start, owner) => {
      const segment = createSegment(ports, { start, owner }, (weight) => ring.grown(() => segment, weight));
      ring.add(segment);
      return segment.recorded;
    },
  };

  return {
    ports: { ...ports, recorder },
    saveTrace: async () => {
      // The turn that is under way, if any, ends before.
      await afterPromises();
      return writeTrace(ring.segments(), bodies);
    },
  };
}
