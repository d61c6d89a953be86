// Prepares the statements of a store. SQLite can refuse one only if a table or a column is missing that the schema has:
// the file is broken then.

import { advise } from "./advise.js";
import { createStoreError } from "@postrider/core";
import { nameError } from "./name-error.js";

export function prepareStatements<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = nameError(error);
    throw advise(createStoreError(code === "unavailable" ? "corrupt" : code, `${message}: the file is broken`, error));
  }
}
