// Prepares the statements of a store. SQLite can refuse a statement only if a table or column of the schema is missing: the file is
// broken, or was made before the schema had them, since a schema is changed in place until a version is published.

import { advise } from "./advise.js";
import { createStoreError } from "@postrider/core";
import { nameError } from "./name-error.js";

export function prepareStatements<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = nameError(error);
    const why = `${message}: the file is broken, or of a build from before the first release`;
    throw advise(createStoreError(code === "unavailable" ? "corrupt" : code, why, error));
  }
}
