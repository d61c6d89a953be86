// Laws of the settings that servers share: for any order in which the requests of several servers take effect, fail or kill their
// server, each answer is that of a plain list of revisions, and the records that stay are those of the history.

import { createMemoryStore } from "@postrider/memory";
import { MAX_SETTINGS_HISTORY, type RecordStore } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSettingsRecords,
  type SettingsRecords,
} from "../../../../packages/postrider/src/assembly/settings/settings-records.js";
import {
  createSettingsModel,
  editOf,
  expectModel,
  expectNothingElse,
  keysOf,
  putMany,
  revisionOf,
  type SettingsModel,
} from "./settings-model.js";
import { createSteppedProcess, type StepKind, type SteppedProcess } from "./stepped-records.js";

/** Edits during one look at the history after which it may give up. */
const HISTORY_LOOKS = 5;

/** More than an edit has once the history is full. */
const MAX_REQUESTS = 12;

type Work =
  | { readonly kind: "edit"; readonly behind: number }
  | { readonly kind: "latest"; readonly behind: number }
  | { readonly kind: "find"; readonly behind: number }
  | { readonly kind: "history" };

const anyWork: fc.Arbitrary<Work> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("edit"), behind: fc.constantFrom(0, 0, 0, 0, 1, -1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("latest"), behind: fc.constantFrom(0, 1, 60) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("find"), behind: fc.constantFrom(-1, 0, 1, 2, 48, 49, 50) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("history") }) },
);

const anyStep: fc.Arbitrary<StepKind> = fc.oneof(
  { weight: 20, arbitrary: fc.constant("answer") },
  { weight: 1, arbitrary: fc.constantFrom("fail-before", "fail-after", "kill-before", "kill-after") },
);

const anyLife = fc.record({
  early: fc.constantFrom(0, 1, 3, MAX_SETTINGS_HISTORY - 1, MAX_SETTINGS_HISTORY, MAX_SETTINGS_HISTORY + 1),
  work: fc.array(fc.array(anyWork, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 3 }),
  steps: fc.array(fc.record({ process: fc.nat({ max: 2 }), kind: anyStep }), { maxLength: 120 }),
});

interface Stage {
  readonly records: RecordStore;
  readonly model: SettingsModel;
}

async function createStage(early: number): Promise<Stage> {
  const { records } = createMemoryStore();
  if (records === undefined) throw new Error("a memory store without records");
  const model = createSettingsModel();
  await putMany(createSettingsRecords(records), model, early);
  return { records, model };
}

interface Server {
  readonly process: SteppedProcess;
  /** Begins the next piece of work; false if there is none. */
  readonly begin: () => Promise<boolean>;
}

/** A server whose answers are checked by the model, and which starts again after it was killed. */
function createServer({ records, model }: Stage, name: string, works: readonly Work[]): Server {
  let edit = "";
  let begun = 0;
  const process = createSteppedProcess(records, (method, [record], result) => {
    const { kind, revision = 0 } = record as { readonly kind?: string; readonly revision?: number };
    if (method !== "put" || kind !== "settings" || result !== true) return;
    expect(revision).toBe(model.revisions.length + 1);
    model.revisions.push(revisionOf(revision, edit));
  });
  const settings = createSettingsRecords(process.records);
  return {
    process,
    begin: async () => {
      const work = works[begun];
      if (work === undefined) return false;
      begun += 1;
      edit = `${name}-${String(begun)}`;
      await process.begin(() => play(settings, work, { model, edit }));
      return true;
    },
  };
}

/** Does one piece of work, and expects an answer that was right at an instant between its begin and its end. */
async function play(
  settings: SettingsRecords,
  work: Work,
  { model, edit }: { readonly model: SettingsModel; readonly edit: string },
): Promise<void> {
  const before = model.revisions.length;
  const lengths = () => Array.from({ length: model.revisions.length - before + 1 }, (_, more) => before + more);
  const revision = work.kind === "history" ? 0 : before - work.behind;
  try {
    if (work.kind === "edit") {
      const next = revisionOf(revision + 1, edit);
      const answer = await settings.put(editOf(next), next.changedAt);
      const own = model.revisions.find(({ actor }) => actor === edit);
      expect(answer.kind).toBe(own === undefined ? "stale" : "stored");
      expect(own === undefined ? lengths() : [own.revision]).toContain(answer.revision);
      return;
    }
    const answer = await (work.kind === "history" ? settings.history() : settings[work.kind](revision));
    const right = (length: number) =>
      work.kind === "history" ? model.history(length) : model[work.kind](revision, length);
    expect(lengths().map(right)).toContainEqual(answer);
  } catch (error) {
    if (storeErrorCodeOf(error) !== "unavailable") throw error;
    const isBusy = String(error).includes("with each look");
    if (isBusy) expect(model.revisions.length - before).toBeGreaterThanOrEqual(HISTORY_LOOKS);
  }
}

/** Lets all servers do what is left of their work. */
async function finish(servers: readonly Server[]): Promise<void> {
  for (const { process, begin } of servers) {
    while (process.isAsking() || (await begin())) await process.step("answer");
  }
}

/** Expects what the model has, from a server that starts now; and after one more edit, no records but those of the history. */
async function expectWhole({ records, model }: Stage): Promise<void> {
  const settings = createSettingsRecords(records);
  await expectModel(settings, model);
  await putMany(settings, model, 1);
  await expectModel(settings, model);
  await expectNothingElse(records, model);
}

describe("settings as records", () => {
  it("With any order of the requests of several servers, some of which fail or kill theirs, answers are those of a list of revisions", () =>
    fc.assert(
      fc.asyncProperty(anyLife, async ({ early, work, steps }) => {
        const stage = await createStage(early);
        const servers = work.map((works, index) => createServer(stage, `server-${String(index)}`, works));
        for (const { process: index, kind } of steps) {
          const { process, begin } = servers[index % servers.length]!;
          if (process.isAsking()) await process.step(kind);
          else await begin();
        }
        await finish(servers);
        await expectWhole(stage);
      }),
    ));

  const KILLS: readonly StepKind[] = ["kill-before", "kill-after", "fail-before", "fail-after"];
  const EDIT: readonly Work[] = [{ kind: "edit", behind: 0 }];

  it.each(KILLS)(
    "With a %s at any request of an edit, nothing is lost, and the next edit removes what is too old",
    async (kind) => {
      for (let early = MAX_SETTINGS_HISTORY - 1; early <= MAX_SETTINGS_HISTORY + 1; early += 1) {
        for (let place = 0; place < MAX_REQUESTS; place += 1) {
          const stage = await createStage(early);
          const server = createServer(stage, "server", EDIT);
          await server.begin();
          for (let step = 0; step < place && server.process.isAsking(); step += 1) await server.process.step("answer");
          await server.process.step(kind);
          await finish([server]);
          await expectWhole(stage);
        }
      }
    },
  );

  it("With an editor that waits at any request while others put more than the history has, the edit is stale and leaves no record", async () => {
    for (let place = 1; place < 4; place += 1) {
      const stage = await createStage(2);
      const late = createServer(stage, "late", EDIT);
      await late.begin();
      for (let step = 0; step < place; step += 1) await late.process.step("answer");
      await putMany(createSettingsRecords(stage.records), stage.model, MAX_SETTINGS_HISTORY + 2);
      await finish([late]);
      await expectNothingElse(stage.records, stage.model);
      await expectWhole(stage);
    }
  });

  it("With an editor that waited as others put more and is killed later, history has each revision once, and at most one document stays", async () => {
    for (let place = 1; place < 4; place += 1) {
      for (let more = 0; more < MAX_REQUESTS; more += 1) {
        const stage = await createStage(2);
        const late = createServer(stage, "late", EDIT);
        await late.begin();
        for (let step = 0; step < place; step += 1) await late.process.step("answer");
        await putMany(createSettingsRecords(stage.records), stage.model, MAX_SETTINGS_HISTORY + 2);
        for (let step = 0; step < more && late.process.isAsking(); step += 1) await late.process.step("answer");
        await late.process.step("kill-after");
        const settings = createSettingsRecords(stage.records);
        await putMany(settings, stage.model, 1);
        await expectModel(settings, stage.model);
        expect(await keysOf(stage.records, "settings-change")).toHaveLength(MAX_SETTINGS_HISTORY - 1);
        expect((await keysOf(stage.records, "settings-document")).length).toBeLessThanOrEqual(MAX_SETTINGS_HISTORY);
      }
    }
  });
});
