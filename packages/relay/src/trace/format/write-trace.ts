// Writes segments as a trace: JSON Lines, one turn a line, compressed in chunks, so that a file that was cut can be read up to
// the cut. Private values become stand-ins here and not while they are recorded, which must be cheap.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { LiveSegment } from "../record/segment.js";
import { TRACE_VERSION, type TraceBodies } from "../trace.js";
import { type Cause, REQUESTS_WITH_CALLS, type Step, type Turn } from "../turn.js";
import { encode, encodeArguments, hasPrivateAnswer, type Scribe } from "./encoding.js";
import { createStandIns } from "./stand-ins.js";

const compress = promisify(gzip);
/** The number of turns that are written between two returns to the event loop. */
const TURNS_PER_CHUNK = 500;

/** The bytes of a trace. The recording goes on meanwhile; later turns are not in the trace. */
export async function writeTrace(segments: readonly LiveSegment[], bodies: TraceBodies): Promise<Uint8Array> {
  const snapshots = segments.map(({ start, parts, turns }) => ({ start, parts, turns: turns.slice() }));
  const scribe: Scribe = bodies === "full" ? { hasBodies: true } : { hasBodies: false, standIns: createStandIns() };
  const chunks = [await compress(line({ "postrider-trace": TRACE_VERSION, bodies }))];
  for (const { start, parts, turns } of snapshots) {
    const { settings, state } = start;
    const encodeTurn = createTurnWriter(scribe);
    const head = { segment: { settings: encode(settings, scribe), state: encode(state, scribe), parts } };
    chunks.push(await compress(line(head)));
    for (let from = 0; from < turns.length; from += TURNS_PER_CHUNK) {
      const lines = turns.slice(from, from + TURNS_PER_CHUNK).map((turn) => line(encodeTurn(turn)));
      chunks.push(await compress(lines.join("")));
    }
    chunks.push(await compress(line({ end: turns.length })));
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Writes the turns of a segment, in their order: the question decides whether the answer is private. */
function createTurnWriter(scribe: Scribe): (turn: Turn) => readonly unknown[] {
  /** The questions and requests whose answers are private. */
  const hiddenIds = new Set<number>();

  function encodeCause(cause: Cause): unknown {
    switch (cause[0]) {
      case "created":
      case "timer":
      case "ended":
        return cause;
      case "answer":
      case "fault":
        return [cause[0], cause[1], encode(cause[2], scribe, hiddenIds.delete(cause[1]))];
      case "call": {
        const [kind, id, method, args] = cause;
        if (hasPrivateAnswer(method)) hiddenIds.add(id);
        const values = REQUESTS_WITH_CALLS.has(method) ? args.map((text): unknown => JSON.parse(String(text))) : args;
        return [kind, id, method, encodeArguments(method, values, scribe)];
      }
    }
  }

  return ({ wall, monotonic, cause, steps }) => {
    const fields: unknown[] = [wall, monotonic, encodeCause(cause)];
    for (const step of steps) {
      if (step[0] === "ask" && hasPrivateAnswer(step[2])) hiddenIds.add(step[1]);
      fields.push(encodeStep(step, scribe, step[0] === "reply" && hiddenIds.delete(step[1])));
    }
    return fields;
  };
}

/** A step as it is written, and as a replay compares it. */
export function encodeStep(step: Step, scribe: Scribe, isHidden = false): readonly unknown[] {
  switch (step[0]) {
    case "ask":
      return [step[0], step[1], step[2], encodeArguments(step[2], step[3], scribe)];
    case "event":
      return [step[0], encode(step[1], scribe)];
    case "reply":
      return [step[0], step[1], encode(step[2], scribe, isHidden)];
    case "timer":
    case "unit":
    case "bytes":
      return step;
  }
}
