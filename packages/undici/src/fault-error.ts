// An error that names its fault: checks of this package pass it through undici, which does not change errors.

import type { Fault } from "@postrider/core";

export interface FaultError extends Error {
  readonly fault: Fault;
}

/** An error for a fault that has no code of the platform. */
export function createFaultError(fault: Fault): FaultError {
  return Object.assign(new Error(fault), { fault });
}

/** Distinguishes errors of this package from those of the platform. */
export function isFaultError(error: unknown): error is FaultError {
  return error instanceof Error && "fault" in error;
}
