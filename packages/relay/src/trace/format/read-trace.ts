// Reads a trace from a file or from bytes, or rejects with a code for the reason. A file that was cut, as by a full disk, is read
// up to its last whole segment.

import { readFile } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { epochMs, monoMs } from "@postrider/core";
import { type Trace, TRACE_VERSION, type TraceSegment } from "../trace.js";
import type { Cause, Step, Turn } from "../turn.js";

/**
 * Reads a trace: the path of a file, or its bytes. Rejects with a `TraceError` if it is no trace or has another version, and
 * as `fs` does if the file cannot be read.
 */
export async function readTrace(file: string | Uint8Array): Promise<Trace> {
  const [head, ...lines] = linesOf(typeof file === "string" ? await readFile(file) : file);
  const { "postrider-trace": version, bodies } = (head ?? {}) as { "postrider-trace"?: unknown; bodies?: unknown };
  if (typeof version !== "number") throw createTraceError("not-a-trace", "this is no trace of Postrider");
  if (version !== TRACE_VERSION) {
    const readable = `this package reads version ${String(TRACE_VERSION)}`;
    throw createTraceError("unknown-version", `the trace has version ${String(version)}; ${readable}`);
  }
  return { version: TRACE_VERSION, bodies: bodies === "full" ? "full" : "digest", ...segmentsOf(lines) };
}

/** The lines as values, up to the first that is not whole. */
function linesOf(bytes: Uint8Array): readonly unknown[] {
  const values: unknown[] = [];
  for (const text of unpack(bytes).split("\n")) {
    const value = parse(text);
    if (value === undefined) return values;
    values.push(value);
  }
  return values;
}

function unpack(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  } catch {
    throw createTraceError("not-a-trace", "this is no trace of Postrider: it is not compressed as one, or is damaged");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface OpenSegment extends TraceSegment {
  readonly turns: Turn[];
}

function segmentsOf(lines: readonly unknown[]): Pick<Trace, "segments" | "isCut"> {
  const segments: TraceSegment[] = [];
  let openSegment: OpenSegment | undefined;
  for (const value of lines) {
    if (Array.isArray(value)) {
      openSegment?.turns.push(turnOf(value));
      continue;
    }
    const { segment, end } = value as { segment?: Omit<TraceSegment, "turns">; end?: unknown };
    if (segment !== undefined) openSegment = { ...segment, turns: [] };
    if (end !== undefined && openSegment?.turns.length === end) {
      segments.push(openSegment);
      openSegment = undefined;
    }
  }
  return { segments, isCut: openSegment !== undefined || segments.length === 0 };
}

function turnOf([wall, monotonic, cause, ...steps]: readonly unknown[]): Turn {
  return {
    wall: epochMs(Number(wall)),
    monotonic: monoMs(Number(monotonic)),
    cause: cause as Cause,
    steps: steps as readonly Step[],
  };
}

/** `not-a-trace`: the bytes are none. `unknown-version`: another version of Postrider wrote it. */
type TraceErrorCode = "not-a-trace" | "unknown-version";

/** The reason for which a trace was not read. */
export interface TraceError extends Error {
  readonly code: TraceErrorCode;
}

/** An error with its code and its reason in words. */
function createTraceError(code: TraceErrorCode, reason: string): TraceError {
  return Object.assign(new Error(reason), { name: "TraceError", code });
}
