// The type of a mistake in a config, and a config without one.

import { SECRET, TOKEN, WRITE_KEY } from "../../../canary.js";

export interface Mistake {
  readonly what: string;
  /** An object is written as JSON; `FOLDER` and `NOTHING` are a folder, and nothing, in place of the file. */
  readonly content: object | string | Buffer;
  readonly status: 0 | 2;
  /** The lines that `check` writes to standard error. */
  readonly says: readonly string[];
}

export const FOLDER: object = Object.freeze({ kind: "folder" });
export const NOTHING: object = Object.freeze({ kind: "nothing" });

export const DESTINATION = {
  id: "crm",
  sources: ["website"],
  endpoints: [{ url: "https://example.com/hook" }],
  sharedSecret: SECRET,
};

/** A config without a problem and without a warning, with these changes. */
export function good(changes: object = {}): object {
  return {
    store: "memory:",
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: [DESTINATION],
    ...changes,
  };
}

export function withDestination(changes: object, others: object = {}): object {
  return good({ destinations: [{ ...DESTINATION, ...changes }], ...others });
}
