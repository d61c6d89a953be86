import { createManualClock } from "@postrider/memory";
import { deliveryStoreModelContract } from "@postrider/testkit/contracts";
import { it } from "vitest";
import { newFile, openStore } from "./files.js";
const create = () => {
  const file = newFile();
  const clock = createManualClock();
  return { open: () => Promise.resolve(openStore(file)), now: () => clock.wall(), advance: (ms: number) => clock.advance(ms),
    supports: { restart: true, sharing: true, days: true } as const };
};
for (const { name, run } of deliveryStoreModelContract(create, { runs: 25 })) it(name, run, 100000);
