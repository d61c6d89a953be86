// Cases of the keys and texts of records: keys of any UTF-16 units, and texts that come back unit by unit.

import { MAX_AUDIENCE_NAME_LENGTH, MAX_RECORD_BYTES, RECORD_KINDS, type StoredRecord } from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectEachItself, lookAlikes, showText } from "../look-alikes.js";
import {
  expectRecord,
  LARGE_PAGE,
  newRecord,
  nextRecord,
  type RecordCase,
  type RecordScene,
  recordsOf,
} from "./scene.js";

export const KEY_CASES: readonly RecordCase[] = [
  {
    name: "the key of a record is distinct from all that look alike, at its beginning and at its end",
    async play(scene) {
      const texts = [
        ...lookAlikes(MAX_AUDIENCE_NAME_LENGTH),
        ...lookAlikes(),
        "\ud83d\ude00",
        "\uffff",
        "\u0000\u0000",
      ];
      const unique = [...new Set(texts)];
      await playKeys(
        scene,
        unique.map((text) => newRecord(scene, { kind: "pause", key: scene.uniqueName(text) })),
      );
      await playKeys(
        scene,
        unique.map((text) => newRecord(scene, { key: `${text}${scene.uniqueName("")}` })),
      );
    },
  },
  {
    name: "the empty text is a key like any other",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const record = newRecord(scene, { kind, key: "", text: scene.uniqueName("") });
        const blank = { ...record, key: " " };
        for (const { key } of [record, blank]) await recordsOf(scene).remove(kind, key);
        for (const newcomer of [record, blank, nextRecord(record)])
          expectEqual(await recordsOf(scene).put(newcomer), true, `the answer to a ${kind}`);
        expectEqual(await recordsOf(scene).find(kind, ""), nextRecord(record), `the ${kind} that is found`);
        const allRecords = await recordsOf(scene).list({ kind, limit: LARGE_PAGE });
        const bothRecords = allRecords.filter(({ key }) => key.trim() === "");
        expectEqual(bothRecords.length, 2, `how often the two are listed`);
        const [first, second] = bothRecords;
        const recordsBehind = await recordsOf(scene).list({ kind, after: first?.key ?? "", limit: LARGE_PAGE });
        expectEqual(
          recordsBehind.filter(({ key }) => key.trim() === ""),
          [second],
          `what follows the first ${kind}`,
        );
        await recordsOf(scene).remove(kind, "");
        expectEqual(await recordsOf(scene).find(kind, ""), undefined, `the ${kind} once it is removed`);
        expectEqual(await recordsOf(scene).find(kind, " "), blank, `the other ${kind}`);
        await recordsOf(scene).remove(kind, " ");
      }
    },
  },
];

/** Finds, lists, replaces and removes records whose keys look alike, each as itself. */
async function playKeys(scene: RecordScene, records: readonly StoredRecord[]): Promise<void> {
  const keys = new Set(records.map(({ key }) => key));
  const listKeys = async (kind: StoredRecord["kind"]): Promise<readonly string[]> =>
    (await recordsOf(scene).list({ kind, limit: LARGE_PAGE })).flatMap(({ key }) => (keys.has(key) ? [key] : []));
  for (const record of records)
    expectEqual(
      await recordsOf(scene).put({ ...record, text: asText(record.key) }),
      true,
      `the answer to ${showText(record.key)}`,
    );
  const foundTexts = new Map<string, readonly string[]>();
  for (const { kind, key } of records) {
    const { text } = (await recordsOf(scene).find(kind, key)) ?? {};
    foundTexts.set(key, text === undefined ? [] : [JSON.parse(text) as string]);
  }
  expectEachItself(foundTexts, "a record");
  const listedKind = records[0]?.kind ?? "audience";
  expectEqual((await listKeys(listedKind)).toSorted(), [...keys].toSorted(), "the keys that are listed");
  for (const [place, { kind, key }] of records.entries()) {
    const nextRevision = nextRecord({ kind, key, revision: 1, text: "" }, { text: String(place) });
    expectEqual(await recordsOf(scene).put(nextRevision), true, `the answer to the next revision of ${showText(key)}`);
  }
  for (const [place, { kind, key }] of records.entries()) {
    expectEqual((await recordsOf(scene).find(kind, key))?.text, String(place), `the text of ${showText(key)}`);
    await recordsOf(scene).remove(kind, key);
    keys.delete(key);
    expectEqual((await listKeys(kind)).toSorted(), [...keys].toSorted(), `the keys without ${showText(key)}`);
  }
}

/** A key as a text that a record may have. */
function asText(key: string): string {
  return JSON.stringify(key);
}

export const TEXT_CASES: readonly RecordCase[] = [
  {
    name: "the text of a record comes back unit by unit, also after a crash and after a replacement",
    needs: ["restart"],
    async play(scene) {
      const records = TEXTS.map((text, place) => newRecord(scene, { key: scene.uniqueName(String(place)), text }));
      for (const record of records) await recordsOf(scene).put(record);
      await scene.crash();
      for (const record of records) await expectRecord(scene, record, "after a crash");
      const replacements = records.map((record, place) => nextRecord(record, { text: TEXTS.at(-1 - place) ?? "" }));
      for (const record of replacements) await recordsOf(scene).put(record);
      await scene.crash();
      for (const record of replacements) await expectRecord(scene, record, "after its replacement and a crash");
    },
  },
  {
    name: "a text of the most bytes comes back whole, whatever its letters are, and also for a shorter one",
    async play(scene) {
      for (const letter of ["x", "\u00e9", "\u2028", "\u{1f600}"]) {
        const bytes = new TextEncoder().encode(letter).length;
        const filler = "-".repeat(MAX_RECORD_BYTES % bytes);
        const text = letter.repeat(Math.floor(MAX_RECORD_BYTES / bytes)) + filler;
        const record = newRecord(scene, { kind: "settings", text });
        for (const revision of [
          record,
          nextRecord(record, { text: letter }),
          nextRecord(nextRecord(record), { text }),
        ]) {
          expectEqual(await recordsOf(scene).put(revision), true, "the answer to a long text");
          await expectRecord(scene, revision, "with a long text");
        }
        await recordsOf(scene).remove(record.kind, record.key);
      }
    },
  },
  {
    name: "the text of a record is distinct from all that look alike",
    async play(scene) {
      const records = lookAlikes()
        .filter(isStorable)
        .map((text, place) => newRecord(scene, { key: scene.uniqueName(String(place)), text }));
      const foundTexts = new Map<string, readonly string[]>();
      for (const record of records) {
        await recordsOf(scene).put(record);
        const { text } = (await recordsOf(scene).find(record.kind, record.key)) ?? {};
        foundTexts.set(record.text, text === undefined ? [] : [text]);
        await recordsOf(scene).remove(record.kind, record.key);
      }
      expectEachItself(foundTexts, "the text of a record");
    },
  },
];

/** Neither U+0000 nor half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes("\u0000") && !/\p{Surrogate}/u.test(text);
}

/** Texts with something that is easily lost. */
const TEXTS: readonly string[] = [
  ...["", " ", "\n", "\n\n", "\r\n", "\ta\t", " a ", "\na", "a\n", "a\n\nb\r"],
  ...["\ufeffa", "a\u00a0", "\u2028\u2029\u007f\u0085\u{1f468}\u200d\u{1f469}'\"\\", "e\u0301\u00e9"],
  ...['{"b":1,"a":2,"10":3,"9":4,"__proto__":{"b":0}}', '{ "spaces" : [ ] ,\n\t"twice":1,"twice":2 }'],
  ...["[1.0,1e2,-0,9007199254740993,0.1,1e400]", '{"revision":1}\n{"document":"\\ud800\\u0000"}', "null", "1"],
];
