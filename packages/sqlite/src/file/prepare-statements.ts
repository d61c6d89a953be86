// Prepares the statements of a store. What SQLite cannot make out of one of ours is for lack of a table or a column that
// the file should have: then the file is broken.

import { advise } from "./advise.js";
import { nameError, storeError } from "./name-error.js";

export function prepareStatements<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = nameError(error);
    throw advise(storeError(code === "unavailable" ? "corrupt" : code, `${message}: the file is broken`, error));
  }
}
