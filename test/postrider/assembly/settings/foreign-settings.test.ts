// Servers whose store has settings that no server has put.

import type { Config } from "@postrider/relay/settings";
import type { RecordStore } from "@postrider/core";
import { CURRENT_SETTINGS } from "@postrider/core/engine";
import { createManualClock, createMemoryStore } from "@postrider/memory";
import type { Logger } from "@postrider/relay";
import { expect, it } from "vitest";
import { beginSettings } from "../../../../packages/postrider/src/assembly/settings/begin-settings.js";
import { createSettingsFollower } from "../../../../packages/postrider/src/assembly/settings/follow-settings.js";
import { createSettingsRecords } from "../../../../packages/postrider/src/assembly/settings/settings-records.js";
import { readConfig } from "../../../../packages/postrider/src/config/read-config.js";
import { configJson, tempFolder, writeConfig } from "../../config-file.js";

const REASON = 'the record "current" of the kind settings is not one that a server has put';

function createRig() {
  const store = createMemoryStore();
  const records: RecordStore = store.records!;
  const clock = createManualClock();
  const lines: string[] = [];
  const logger: Logger = { log: (level, { code, detail = "" }) => void lines.push(`${level} ${code} ${detail}`) };
  const read = readConfig(
    writeConfig(configJson({ settings: "store", sources: [], destinations: [] })),
    () => undefined,
  );
  if (read.kind === "refused") throw new Error("a config that is refused");
  const config: Config = read.config;
  const references = { folder: tempFolder(), env: () => undefined };
  const put = (revision: number, text: string): Promise<boolean> =>
    records.put({ kind: "settings", key: CURRENT_SETTINGS, revision, text });
  const begin = () => beginSettings({ config, stores: { store }, references, clock, logger });
  return { store, records, clock, lines, logger, config, references, put, begin };
}

it("With foreign settings in its store, a server does not start, and tells the reason", async () => {
  const { put, begin } = createRig();
  await put(1, '{"sources":[]}');
  expect(await begin()).toEqual({
    kind: "refused",
    code: "store-unusable",
    reason: `the store cannot be used for settings: its settings cannot be read: ${REASON}`,
  });
});

it("With a store that keeps no records, a server does not start, and tells the reason", async () => {
  const { config, references, clock, logger, store } = createRig();
  const without = { ...store };
  Reflect.deleteProperty(without, "records");
  expect(await beginSettings({ config, stores: { store: without }, references, clock, logger })).toEqual({
    kind: "refused",
    code: "store-unusable",
    reason: "the store cannot be used for settings: it keeps no records: leave settings out of the config",
  });
});

it("With foreign settings while it runs, a server says so once, keeps its settings, and adopts the next good ones", async () => {
  const { records, config, clock, lines, references, logger, put } = createRig();
  const follower = createSettingsFollower({
    storeSettings: { settings: createSettingsRecords(records), revision: 0, document: {} },
    config,
    reconfigurer: { inSlices: () => Promise.resolve({ kind: "configured" }) },
    references,
    clock,
    logger,
  });
  follower.start();
  await put(1, "{}");
  await clock.advance(5_000);
  expect(follower.inForce()).toBe(0);
  expect(lines).toEqual([`error settings-refused ${REASON}`]);
  await put(2, '{"revision":2,"changedAt":1000}\n{}');
  await clock.advance(1_000);
  expect(follower.inForce()).toBe(2);
  await put(3, "{}");
  await clock.advance(5_000);
  follower.stop();
  expect(follower.inForce()).toBe(2);
  expect(lines).toEqual([`error settings-refused ${REASON}`, `error settings-refused ${REASON}`]);
});
