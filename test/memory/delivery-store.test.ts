// The memory store fulfils the contract of the storage port.

import { deliveryStoreContract, deliveryStoreModelContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { onNewDisk } from "./harness.js";

describe("the memory store", () => {
  for (const { name, run } of deliveryStoreContract(onNewDisk())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(() => onNewDisk())) it(name, run);
});
