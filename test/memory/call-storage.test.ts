import { createMemoryCallStorage } from "@postrider/memory";
import { callStorageContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";

describe("the call storage in memory", () => {
  const storages = new Map<string, ReturnType<typeof createMemoryCallStorage>>();
  const cases = callStorageContract({
    open: (name, maxCalls) => {
      const storage = storages.get(name) ?? createMemoryCallStorage(maxCalls === undefined ? {} : { maxCalls });
      storages.set(name, storage);
      return Promise.resolve(storage);
    },
    supports: { restart: { reason: "it is gone with its process" } },
  });
  for (const { name, run } of cases) it(name, run);
});
