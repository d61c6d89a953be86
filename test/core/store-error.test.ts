// The error that a store rejects with has a code of the port, and a cause only if it was given one.

import { createStoreError } from "@postrider/core";
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
