// Maps an error of the driver to a code that says whether a write may have happened. PostgreSQL's codes are listed in appendix A of its
// manual. An error after which a write is possible is `unavailable`.

import { createStoreError, type StoreError, type StoreErrorCode } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";

const CODES: Readonly<Record<string, StoreErrorCode>> = {
  "40001": "busy", // a failed serialization
  "40P01": "busy", // a deadlock
  "55P03": "busy", // no lock in time
  "53300": "busy", // too many connections
  "57P03": "busy", // the server starts, or stops
  "25006": "busy", // read-only, as after a failover
  "57014": "busy", // a timeout of a statement
  "53100": "full", // the disk
  XX001: "corrupt", // data
  XX002: "corrupt", // an index
};

/** The error of the port for an error of the driver; the same error if it is one of the port already. */
export function nameDatabaseError(error: unknown): StoreError {
  if (isStoreError(error)) return error;
  const code = sqlStateOf(error);
  return createStoreError(CODES[code] ?? "unavailable", describe(error, code), error);
}

/** The error for a connection that could not be taken: nothing was sent yet. */
export function nameConnectError(error: unknown): StoreError {
  const code = sqlStateOf(error);
  return createStoreError("busy", `no connection: ${describe(error, code)}`, error);
}

/**
 * True if the server takes no writes, as after a failover, or ends its connections: another one answers at the same name, and
 * connections that were made before lead to the old one.
 */
export function endsConnections(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === "25006" || code.startsWith("57P0");
}

/** The code of an error of the driver or of the platform, or an empty text. */
export function sqlStateOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Texts of the database may quote values: only its code is shown. An error without a code is not of the database. */
function describe(error: unknown, code: string): string {
  if (code !== "") return `PostgreSQL: ${code}`;
  return `PostgreSQL: ${error instanceof Error ? error.message : "no reason given"}`;
}

function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && storeErrorCodeOf(error) !== undefined;
}
