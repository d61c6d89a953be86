import {
  epochMs,
  MAX_ACTOR_LENGTH,
  MAX_SETTINGS_BYTES,
  MAX_SETTINGS_HISTORY,
  type RecordStore,
  type SettingsEdit,
} from "@postrider/core";
import { CURRENT_SETTINGS } from "@postrider/core/engine";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createSettingsRecords } from "../../../../packages/postrider/src/assembly/settings/settings-records.js";
import {
  createSettingsModel,
  editOf,
  expectModel,
  expectNothingElse,
  keysOf,
  putMany,
  revisionOf,
} from "./settings-model.js";

const NOW = epochMs(1_000);

function createRig() {
  const disk = createMemoryDisk();
  const open = (): RecordStore => createMemoryStore({ disk }).records!;
  const records = open();
  return { records, settings: createSettingsRecords(records), model: createSettingsModel(), open };
}

/** Documents and editors with what is easily lost, and the largest of both. */
const SAMPLES: readonly Omit<SettingsEdit, "expect">[] = [
  { document: "{}" },
  { document: "{}", actor: "" },
  { document: '{"b":1,"a":2,"10":3,"9":4,"__proto__":{"b":0}}', actor: "a\u0000'\ud800\n" },
  { document: '{ "spaces" : [ ] ,\n\t"twice":1,"twice":2 }\n' },
  { document: "[1.0,1e2,-0,9007199254740993,0.1,1e400]", actor: " ann " },
  { document: "", actor: "ANN" },
  { document: JSON.stringify("\u2028\u2029\u007f\u0085\ufeff\u{1f468}\u200d\u{1f469}'\"\\"), actor: "e\u0301" },
  { document: JSON.stringify("x".repeat(MAX_SETTINGS_BYTES - 2)), actor: "\ud800".repeat(MAX_ACTOR_LENGTH) },
];

describe("settings as records", () => {
  it("With a store that is opened again, each revision comes back unit by unit, in force and in the history", async () => {
    const { settings, model, open } = createRig();
    for (const sample of SAMPLES) {
      const revision = model.revisions.length + 1;
      await settings.put({ ...sample, expect: revision - 1 }, NOW);
      model.revisions.push({ ...sample, revision, changedAt: NOW });
      await expectModel(createSettingsRecords(open()), model);
    }
  });

  it("With an editor who expects another revision, an edit is stale, tells the latest one, and changes nothing", async () => {
    const { records, settings, model } = createRig();
    const wrong = (latest: number) => [latest - 1, latest + 1, latest + 2 ** 32, -1, latest + 0.5, NaN];
    for (let latest = 0; latest < 3; latest += 1) {
      for (const expected of wrong(latest)) {
        const answer = await settings.put({ expect: expected, document: "[]" }, NOW);
        expect(answer).toEqual({ kind: "stale", revision: latest });
      }
      await expectModel(settings, model);
      await putMany(settings, model, 1);
    }
    await expectNothingElse(records, model);
  });

  it("With a caller who has a revision, latest answers only a higher one, and find only whole numbers", async () => {
    const { settings, model } = createRig();
    await putMany(settings, model, 2);
    for (const above of [0, 1, 1.5, -1]) expect(await settings.latest(above)).toEqual(model.revisions[1]);
    for (const above of [2, 2.5, 3, 2 ** 53 - 2]) expect(await settings.latest(above)).toBeUndefined();
    for (const revision of [0, -1, 1.5, 3, NaN, Infinity]) expect(await settings.find(revision)).toBeUndefined();
  });

  it("With clocks that go back, the history has the latest first and at most the fixed number", async () => {
    const { records, settings, model } = createRig();
    await putMany(settings, model, MAX_SETTINGS_HISTORY + 3);
    const history = await settings.history();
    expect(history).toHaveLength(MAX_SETTINGS_HISTORY);
    expect(history[0]!.changedAt).toBeLessThan(history.at(-1)!.changedAt);
    await expectModel(settings, model);
    await expectNothingElse(records, model);
  });

  it("With a store that removes nothing, edits are stored and answers have no revision too many; later the next edit removes them", async () => {
    const { records, settings, model } = createRig();
    const failing = createSettingsRecords({ ...records, remove: () => Promise.reject(new Error("full")) });
    await putMany(failing, model, 2 * MAX_SETTINGS_HISTORY + 5);
    await expectModel(failing, model);
    await putMany(settings, model, 1);
    await expectModel(settings, model);
    await expectNothingElse(records, model);
  });

  it("With settings that change at each look at the history, the history is unavailable", async () => {
    const { records, settings, model } = createRig();
    await putMany(settings, model, 1);
    const busy = createSettingsRecords({
      ...records,
      list: async (query) => {
        await putMany(settings, model, 1);
        return records.list(query);
      },
    });
    await expect(busy.history()).rejects.toMatchObject({ code: "unavailable" });
  });

  it("With two servers, an edit of the one is what the other has to expect", async () => {
    const { settings, model, open } = createRig();
    const other = createSettingsRecords(open());
    await putMany(settings, model, 1);
    await putMany(other, model, 1);
    const late = revisionOf(2, "late");
    expect(await settings.put(editOf(late), late.changedAt)).toEqual({ kind: "stale", revision: 2 });
    await expectModel(settings, model);
  });
});

const FOREIGN: readonly string[] = [
  "",
  "{}",
  "null",
  "\n{}",
  "null\n{}",
  "[]\n{}",
  '{"sources":[]}',
  '{"revision":1,"changedAt":1000}',
  '{"revision":1,"changedAt":1000}x',
  '{"revision":2,"changedAt":1000}\n{}',
  '{"revision":1}\n{}',
  '{"revision":1,"changedAt":"now"}\n{}',
  '{"revision":1,"changedAt":1000,"actor":7}\n{}',
];

describe("records of settings that no server has put", () => {
  it.each(FOREIGN)(
    "With %j in place of the settings in force, each answer is that the store is corrupt",
    async (text) => {
      const { records, settings } = createRig();
      await records.put({ kind: "settings", key: CURRENT_SETTINGS, revision: 1, text });
      const corrupt = {
        code: "corrupt",
        message: 'the record "current" of the kind settings is not one that a server has put',
      };
      await expect(settings.latest(0)).rejects.toMatchObject(corrupt);
      await expect(settings.find(1)).rejects.toMatchObject(corrupt);
      await expect(settings.history()).rejects.toMatchObject(corrupt);
      await expect(settings.put({ expect: 1, document: "{}" }, NOW)).rejects.toMatchObject(corrupt);
      expect(await settings.latest(1)).toBeUndefined();
    },
  );

  it("With keys beside those of a change in force, the revision has only those of a change", async () => {
    const { records, settings } = createRig();
    const text = '{"revision":1,"changedAt":1000,"actor":"ann","more":1}\n{}';
    await records.put({ kind: "settings", key: CURRENT_SETTINGS, revision: 1, text });
    expect(await settings.latest(0)).toEqual({ revision: 1, changedAt: 1_000, actor: "ann", document: "{}" });
  });

  it.each(["", "null", "{}", '{"revision":2,"changedAt":1}', '{"revision":1,"changedAt":null}'])(
    "With %j in the history, it is corrupt; what is in force is there, and can be replaced",
    async (text) => {
      const { records, settings, model } = createRig();
      await putMany(settings, model, 2);
      await records.remove("settings-change", "1");
      await records.put({ kind: "settings-change", key: "1", revision: 1, text });
      await expect(settings.history()).rejects.toMatchObject({ code: "corrupt" });
      await expect(settings.find(1)).rejects.toMatchObject({ code: "corrupt" });
      await putMany(settings, model, MAX_SETTINGS_HISTORY);
      await expectModel(settings, model);
    },
  );

  it("With a change under a key that is no revision, the history is corrupt, not doubled", async () => {
    const { records, settings, model } = createRig();
    await putMany(settings, model, 2);
    await records.put({ kind: "settings-change", key: "01", revision: 1, text: '{"revision":1,"changedAt":1000}' });
    await expect(settings.history()).rejects.toMatchObject({ code: "corrupt" });
    expect(await keysOf(records, "settings-change")).toEqual([1, 1]);
  });

  it("With a document or a change that is gone, the revision is not found", async () => {
    const { records, settings, model } = createRig();
    await putMany(settings, model, 3);
    await records.remove("settings-document", "1");
    await records.remove("settings-change", "2");
    expect(await settings.find(1)).toBeUndefined();
    expect(await settings.find(2)).toBeUndefined();
  });
});
