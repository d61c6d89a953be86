// Loads the simulator when a scenario is to be played, and only then: a server does without that package (decision:
// optional simulator). Says what to install where it is missing.

import type { simulate } from "@postrider/simulator";
import { readVersion } from "../read-version.js";

export interface Simulator {
  readonly simulate: typeof simulate;
}

const OPTIONAL = "@postrider/simulator";

/** Rejects with an `Error` that names the package to install where it cannot be loaded. */
export async function loadSimulator(): Promise<Simulator> {
  try {
    return await import("@postrider/simulator");
  } catch (error) {
    throw new Error(adviceFor(error), { cause: error });
  }
}

/** What is missing, and what to do. All our packages have one version. */
function adviceFor(error: unknown): string {
  const what = isAbsent(error) ? "is not installed" : `cannot be loaded (${reasonOf(error)})`;
  return `${OPTIONAL} ${what}: run npm install ${OPTIONAL}@${readVersion()}`;
}

/** Node quotes the package that it did not find; one that the simulator itself needs is another. */
function isAbsent(error: unknown): boolean {
  const isNotFound = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isNotFound && error.message.includes(`'${OPTIONAL}'`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
