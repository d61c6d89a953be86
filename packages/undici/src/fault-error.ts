// An error that names its fault. The checks of this package throw this error through undici, which passes errors on
// unchanged.

import type { Fault } from "@postrider/core";

export interface FaultError extends Error {
  readonly fault: Fault;
}

/** Creates an error for a fault that this package finds. Errors of Node and undici have a `code` instead. */
export function createFaultError(fault: Fault): FaultError {
  return Object.assign(new Error(fault), { fault });
}

/** Whether this package made the error, not Node or undici. */
export function isFaultError(error: unknown): error is FaultError {
  return error instanceof Error && "fault" in error;
}
