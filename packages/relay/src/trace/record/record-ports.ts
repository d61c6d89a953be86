// Wraps the ports of a relay so that its questions and their answers are recorded (decision: traces), and can be saved at any time. The
// ring of segments is bounded in bytes: it drops the oldest, and decides when another relay should take over. The relay begins its segments
// itself.

import type { RecordablePorts, RelayRecorder } from "@postrider/core";
import { writeTrace } from "../format/write-trace.js";
import { afterPromises, inLaterTurn } from "../turn.js";
import type { TraceBodies } from "../trace.js";
import { createSegment, type LiveSegment } from "./segment.js";

/** A segment is renewed when it fills one of this many parts of the ring, so that the ring has at least three whole segments. */
const RENEWAL_PARTS = 4;

/** If a segment cannot be renewed, it is tried again when it has grown by one of this many parts of the ring. */
const RETRY_PARTS = 64;

const DEFAULT_MAX_BYTES = 64 * 1_024 * 1_024;

/** The size of the recording, and the contents of a saved trace. */
export interface RecordOptions {
  /** About how much memory the recording may use, in bytes; 64 MiB if absent. The oldest part is dropped. */
  readonly maxBytes?: number;
  /** The form of bodies, calls and user ids in a saved trace; `digest` if absent. */
  readonly bodies?: TraceBodies;
}

/** Ports to create a relay on, and the means to save what it did. */
export interface Recording<Ports extends RecordablePorts = RecordablePorts> {
  /** For `createRelay({ workspace, ...ports })`. The host goes on to use its own clock and stores, and closes them. */
  readonly ports: Ports & { readonly recorder: RelayRecorder };
  /** The trace of what is in the ring now, as the bytes of a file. */
  readonly saveTrace: () => Promise<Uint8Array>;
}

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
      const segment = createSegment(ports, { start, owner }, (totalBytes) => ring.onGrowth(() => segment, totalBytes));
      ring.add(segment);
      return segment.recorded;
    },
  };

  return {
    ports: { ...ports, recorder },
    saveTrace: async () => {
      // Lets the turn that is under way end first.
      await afterPromises();
      return writeTrace(ring.segments(), bodies);
    },
  };
}

interface Ring {
  add(segment: LiveSegment): void;
  /** To be called when a segment has grown. */
  onGrowth(segmentOf: () => LiveSegment, totalBytes: number): void;
  /** The kept segments, the oldest first. */
  segments(): readonly LiveSegment[];
}

/** An empty ring of at most about `maxBytes`. */
export function createRing(maxBytes: number): Ring {
  let segments: LiveSegment[] = [];
  let renewAt = Infinity;

  function renew(segment: LiveSegment): void {
    inLaterTurn(() => {
      if (segments.at(-1) === segment) segment.owner.renew();
    });
  }

  function dropOldest(): void {
    let bytes = segments.reduce((sum, segment) => sum + segment.keptBytes(), 0);
    while (bytes > maxBytes) {
      const [oldest, ...others] = segments;
      if (oldest === undefined) return;
      bytes -= oldest.keptBytes();
      oldest.drop();
      // A segment that could not be renewed in time: nothing is recorded until it can be.
      if (others.length === 0) return;
      segments = others;
    }
  }

  return {
    add: (segment): void => {
      segments.push(segment);
      renewAt = maxBytes / RENEWAL_PARTS;
    },
    onGrowth: (segmentOf, totalBytes): void => {
      if (totalBytes < renewAt) return;
      const segment = segmentOf();
      if (segment !== segments.at(-1)) return;
      renewAt = totalBytes + maxBytes / RETRY_PARTS;
      dropOldest();
      renew(segment);
    },
    segments: () => segments.filter(({ turns }) => turns.length > 0),
  };
}
