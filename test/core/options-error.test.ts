// What a function throws that was given wrong options: everything that is wrong with them, for a program and in words.

import { createOptionsError } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

describe("an error about options", () => {
  it("is a TypeError with a code, that names the function and each place with what was expected there", () => {
    const problems = [
      { path: "endpoint", expected: "an absolute URL" },
      { path: "maxRetries", expected: "a whole number from 0 to 1000" },
    ];
    const error = createOptionsError("createClient", problems);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      code: "bad-options",
      docs: "https://github.com/postrider/postrider/blob/main/docs/errors.md#options",
      problems,
    });
    expect(error.message).toBe(
      "createClient: endpoint: expected an absolute URL; maxRetries: expected a whole number from 0 to 1000",
    );
  });

  it("names twenty places in its message, and holds all of them", () => {
    const problems = Array.from({ length: 23 }, (_, n) => ({ path: `sources[${String(n)}].id`, expected: "text" }));
    const error = createOptionsError("createRelay", problems);
    expect(error.message).toContain("sources[19].id: expected text; and 3 more");
    expect(error.message).not.toContain("sources[20]");
    expect(error.problems).toHaveLength(23);
  });
});
