// An error that already knows its fault: how our own checks speak through undici, which passes errors on untouched.

import type { Fault } from "@postrider/core";

export interface FaultError extends Error {
  readonly fault: Fault;
}

/** An error for a fault of which no platform has a code. */
export function createFaultError(fault: Fault): FaultError {
  return Object.assign(new Error(fault), { fault });
}

/** Tells our own errors from the platform's. */
export function isFaultError(error: unknown): error is FaultError {
  return error instanceof Error && "fault" in error;
}
