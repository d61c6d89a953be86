// The record of one relay while it grows: its turns, each with its input and its steps, the time of the turn, and an estimate of the memory
// that all of it keeps in use.

import { type Clock, type EpochMs, epochMs, type MonoMs, monoMs } from "@postrider/core";
import { inLaterTurn, type Cause, type Step, type Turn } from "../turn.js";

/** The memory of a cause or a step without bodies, in bytes. */
const STEP_BYTES = 96;

/** The memory of one row of a question or an answer, without its body, in bytes. */
const ROW_BYTES = 400;

export interface TurnLog {
  readonly turns: readonly Turn[];
  /** Begins a turn now. `bytes`: the memory that the input keeps in use. */
  turn(cause: Cause, bytes?: number): void;
  /** Begins a turn in a later turn of the event loop, and then hands the input to the relay. */
  laterTurn(cause: Cause, act: () => void, bytes?: number): void;
  /** Writes down a step of the relay. */
  step(step: Step, bytes?: number): void;
  /** A number for a question, a timer or a request. */
  nextId(): number;
  /** The time of the turn, or in `look` the real time. */
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /** Runs a function for which `clock` shows the real time. */
  readonly look: <T>(run: () => T) => T;
  /** The memory of the turns that are still there, in bytes. */
  readonly keptBytes: () => number;
  /** Forgets all turns, and keeps no further one. */
  readonly drop: () => void;
}

/** An empty record. Each turn calls `onTurn` with the bytes of all that was ever recorded, dropped turns included. */
export function createTurnLog(real: Pick<Clock, "wall" | "monotonic">, onTurn: (totalBytes: number) => void): TurnLog {
  const turns: Turn[] = [];
  let isKept = true;
  let isLooking = false;
  let count = 0;
  let totalBytes = 0;
  let wall: EpochMs = epochMs(0);
  let monotonic: MonoMs = monoMs(0);
  let steps: Step[] = [];

  function turn(cause: Cause, bytes = 0): void {
    wall = real.wall();
    monotonic = real.monotonic();
    steps = [];
    if (isKept) turns.push({ wall, monotonic, cause, steps });
    totalBytes += 2 * STEP_BYTES + bytes;
    onTurn(totalBytes);
  }

  return {
    turns,
    turn,
    laterTurn: (cause, act, bytes): void => {
      inLaterTurn(() => {
        turn(cause, bytes);
        act();
      });
    },
    step: (step, bytes = 0): void => {
      totalBytes += STEP_BYTES + bytes;
      if (isKept) steps.push(step);
    },
    nextId: () => ++count,
    clock: {
      wall: () => (isLooking ? real.wall() : wall),
      monotonic: () => (isLooking ? real.monotonic() : monotonic),
    },
    look: (run) => {
      isLooking = true;
      try {
        return run();
      } finally {
        isLooking = false;
      }
    },
    keptBytes: () => (isKept ? totalBytes : 0),
    drop: (): void => {
      isKept = false;
      turns.length = 0;
    },
  };
}

/** An estimate of the bytes that a question to a port, or its answer, keeps in use. */
export function weightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 16;
  const { accept, settle, deliveries, excerpt } = value as Readonly<Record<string, unknown>>;
  return ROW_BYTES + bodiesOf(accept) + bodiesOf(deliveries) + rowsOf(settle) + bytesOf(excerpt);
}

function bodiesOf(rows: unknown): number {
  if (!Array.isArray(rows)) return 0;
  return rows.reduce<number>((sum, row: { readonly body?: unknown }) => sum + ROW_BYTES + bytesOf(row.body), 0);
}

function rowsOf(rows: unknown): number {
  return Array.isArray(rows) ? rows.length * ROW_BYTES : 0;
}

function bytesOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 0;
}
