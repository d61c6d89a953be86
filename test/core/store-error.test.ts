// The error that a store rejects with has a code of the port, and a cause only if it was given one.

import { createStoreError } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

describe("the error of a store", () => {
  it("has a code and a message", () => {
    const error = createStoreError("busy", "another process writes");
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: "busy", message: "another process writes" });
  });

  it("has the cause that it was given, and no such property otherwise", () => {
    const cause = new Error("SQLITE_FULL");
    expect(createStoreError("full", "the disk is full", cause).cause).toBe(cause);
    expect(createStoreError("full", "the disk is full")).not.toHaveProperty("cause");
  });
});

describe("the code of what a store rejects with", () => {
  it.each(["busy", "full", "corrupt", "unavailable"] as const)("is found: %s", (code) => {
    expect(storeErrorCodeOf(createStoreError(code, "why"))).toBe(code);
  });

  it.each([undefined, null, "busy", new Error("busy"), { code: "SQLITE_BUSY" }, { code: 5 }])(
    "is none in %s",
    (error) => {
      expect(storeErrorCodeOf(error)).toBeUndefined();
    },
  );
});
