// A short run of slow readers of events. How flat the memory stays over millions is shown by the command.

import { expect, it } from "vitest";
import { playSlowReaders } from "./slow-readers.js";

it("tells slow readers of events at the pace at which they read", async () => {
  const { readers } = await playSlowReaders({ readers: 20, events: 60_000, samples: 1 });
  expect(readers.filter(({ bytes }) => bytes > 65_536)).toHaveLength(20);
});
