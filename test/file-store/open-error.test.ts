// The error that a host gets if a file cannot be opened: a code of a closed list, and a message that begins with the path.

import { describe, expect, it } from "vitest";
import { createPathError, nameOpenError } from "../../packages/sqlite/src/file-store/open-error.js";

function withCode(code: unknown): Error {
  return Object.assign(new Error("in words"), { code });
}

describe("an error on the way to a host", () => {
  it.each(["log-missing", "driver-missing", "corrupt", "busy"])("keeps the code %s", (code) => {
    const thrown = withCode(code);
    const named = nameOpenError("p.db", thrown);
    expect(named).toMatchObject({ code, message: "cannot use the store p.db: in words", cause: thrown });
  });

  it.each([withCode("ERR_SQLITE_ERROR"), withCode("constructor"), withCode(14), new Error("in words")])(
    "is unavailable without a code of the list",
    (thrown) => {
      expect(nameOpenError("p.db", thrown)).toMatchObject({ code: "unavailable" });
    },
  );

  it("has a message although what was thrown is no error", () => {
    expect(nameOpenError("p.db", "in words")).toMatchObject({ message: "cannot use the store p.db: in words" });
  });

  it("distinguishes a full disk from a path that cannot be used", () => {
    expect(createPathError("in words", withCode("ENOSPC"))).toMatchObject({ code: "full" });
    expect(createPathError("in words", withCode("EACCES"))).toMatchObject({ code: "path-unusable" });
  });
});
