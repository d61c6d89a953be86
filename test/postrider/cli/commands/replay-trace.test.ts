import { expect, it } from "vitest";
import { run } from "../../test-host.js";

it.each([
  ["no/such/file", "a file that exists"],
  ["test", "a file, not a folder"],
])("replay-trace has status 1 for the file %s, and says why it cannot be read", async (file, expected) => {
  const err = [`postrider: cannot read ${file}: expected ${expected}`];
  expect(await run(["replay-trace", file])).toEqual({ code: 1, out: [], err });
});
