// `npm run soak -- client`: 100,000 calls against a server that fails in every way.

import { expect, it } from "vitest";
import { runHostile } from "../hostile-run.js";

const CALLS = Number(process.env["POSTRIDER_CALLS"] ?? 100_000);

it(`ends each of ${CALLS} calls exactly once, loses none, and renames none`, async () => {
  const result = await runHostile(CALLS, Number(process.env["POSTRIDER_SEED"] ?? 1));
  console.log(JSON.stringify(result, null, 2));
  expect(result).toMatchObject({ unended: 0, endedTwice: 0, failed: 0, lost: 0, renamed: 0, undelivered: 0 });
});
