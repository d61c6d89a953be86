// Prepares the statements of a store. SQLite can refuse a statement only if a table or column of the schema is missing, so a
// refusal means that the file is broken.

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
