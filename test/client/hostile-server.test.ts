// The short run; `npm run soak -- client` makes 100,000 calls.

import { describe, expect, it } from "vitest";
import { runHostile } from "./hostile-run.js";

describe("against a server that fails in every way", () => {
  it("each call ends exactly once, none is lost, and none is sent under a second messageId", async () => {
    const result = await runHostile(2_000, 20_260_131);
    expect(result).toMatchObject({ unended: 0, endedTwice: 0, failed: 0, lost: 0, renamed: 0, undelivered: 0 });
  });
});
