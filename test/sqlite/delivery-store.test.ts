// The SQLite store keeps every promise of the storage port, on a real file.

import { createManualClock } from "@postrider/memory";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { newFile, openStore } from "./files.js";

describe("the SQLite store", () => {
  const file = newFile();
  const clock = createManualClock();
  const cases = deliveryStoreContract({
    open: () => Promise.resolve(openStore(file)),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: { restart: true, sharing: true, days: true },
  });
  for (const { name, run } of cases) it(name, run);
});
