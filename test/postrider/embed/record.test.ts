// A host that records: its trace is written when it asks, when its store is found corrupt, and when it closes, and is replayed.

import { createStoreError, type DeliveryStore, type HttpPort, type OptionsError } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace } from "@postrider/relay/trace";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostrider, type Postrider, type PostriderOptions } from "../../../packages/postrider/src/index.js";
import { SECRET, WRITE_KEY } from "../../canary.js";
import { tempFolder } from "../config-file.js";

const HTTP: HttpPort = {
  send: () => Promise.resolve({ kind: "answered", status: 200, afterMs: 1, excerpt: new Uint8Array() }),
};

async function embedded(changes: PostriderOptions): Promise<{ postrider: Postrider; codes: string[] }> {
  const codes: string[] = [];
  const postrider = await createPostrider({
    store: "memory:",
    http: HTTP,
    logger: { log: (_, { code }) => void codes.push(code) },
    sources: [{ id: "site", writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: ["site"], endpoints: [{ url: "https://a.example/" }], sharedSecret: SECRET }],
    ...changes,
  });
  onTestFinished(() => postrider.close());
  return { postrider, codes };
}

async function kindsIn(file: string): Promise<readonly string[]> {
  const run = await replayTrace(await readTrace(file), (ports) => createRelay(ports));
  expect(run.diverged?.story).toBeUndefined();
  return run.happenings().map(({ event }) => (event as { readonly kind: string }).kind);
}

describe("createPostrider with record", () => {
  it("writes a trace at close, for its owner alone, which is replayed", async () => {
    const path = join(tempFolder(), "host.trace");
    const { postrider, codes } = await embedded({ record: { path } });
    await postrider.track("site", { userId: "u1", event: "e" });
    expect(existsSync(path)).toBe(false);
    await postrider.close();
    expect(codes).toContain("trace-saved");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await kindsIn(path)).toEqual(expect.arrayContaining(["accepted", "delivered"]));
  });

  it("writes a trace each time it is asked, into a folder as a further file", async () => {
    const path = tempFolder();
    const { postrider } = await embedded({ record: { path, megabytes: 8 } });
    await postrider.saveTrace();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await postrider.saveTrace();
    expect(readdirSync(path)).toHaveLength(2);
  });

  it("writes a trace when its store says that it is corrupt", async () => {
    const path = tempFolder();
    let isCorrupt = false;
    const memory = createMemoryStore({ disk: createMemoryDisk() });
    const failing = <Args extends readonly unknown[], T>(ask: (...args: Args) => Promise<T>) => {
      return (...args: Args): Promise<T> =>
        isCorrupt ? Promise.reject(createStoreError("corrupt", "a damaged page")) : ask(...args);
    };
    const store: DeliveryStore = {
      ...memory,
      commit: failing((changes, now) => memory.commit(changes, now)),
      lanes: failing((page, now) => memory.lanes(page, now)),
    };
    const { postrider, codes } = await embedded({ store, record: { path } });
    isCorrupt = true;
    expect(await postrider.track("site", { userId: "u1", event: "e" })).toEqual({ kind: "corrupt" });
    await expect.poll(() => codes).toContain("trace-saved");
    const [file] = readdirSync(path);
    expect(await kindsIn(join(path, file ?? ""))).toContain("store-fault");
  });

  it("goes on if the file cannot be written, and says so", async () => {
    const path = join(tempFolder(), "missing", "host.trace");
    const { postrider, codes } = await embedded({ record: { path } });
    await postrider.saveTrace();
    expect(codes).toContain("trace-not-saved");
    expect(await postrider.track("site", { userId: "u1", event: "e" })).toMatchObject({ kind: "accepted" });
  });

  it.each([{}, { path: "" }, { path: "a", megabytes: 0 }, { path: "a", megabytes: 4_097 }, "a", null])(
    "refuses %j",
    async (record) => {
      const refused: unknown = await createPostrider({ store: "memory:", record: record as never }).catch(
        (thrown: unknown) => thrown,
      );
      expect((refused as OptionsError).problems.map(({ path }) => path)).toEqual(["record"]);
    },
  );

  it("writes nothing without it", async () => {
    const { postrider, codes } = await embedded({});
    await postrider.saveTrace();
    await postrider.close();
    expect(codes.filter((code) => code.startsWith("trace-"))).toEqual([]);
  });
});
