// Cases of what an outbox keeps: calls and sources of any texts, very many calls, and large ones. A database may change texts, and has
// limits for rows, bytes and places of a statement.

import { MAX_CALL_BYTES, type SourceId, sourceId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { expectEachItself, halvesOf, lookAlikes, showText } from "../look-alikes.js";
import {
  addAll,
  addCalls,
  callOf,
  emptyOutbox,
  inOrder,
  nameOfCall,
  namesIn,
  outboxOf,
  walkOutbox,
  withoutId,
} from "./outbox-scene.js";
import type { StoreCase } from "./scene.js";

/** JSON that a store which parses it, or keeps it as a document, would not give back. */
const JSON_TEXTS: readonly string[] = [
  '{ "b" : 1, "a" : 2 }',
  '{"a":1,"a":2}',
  '{"n":[1.0,1e2,1E+400,-0,9007199254740993,0.1000]}',
  '{"slash":"\\/","e":"\\u00e9","null":"\\u0000"}',
  '{"line":"\u2028\u2029","tab":"\\t"}\n',
];

/** More than a database reads at once that has a limit of 1,000 rows, or takes in a statement with 2,100 places. */
const MANY_CALLS = 2_500;
/** More than any database takes as places of one statement. */
const MANY_SOURCES = 70_000;
/** Of the largest size: more than a megabyte together. */
const LARGE_CALLS = 40;

export const KEEPING_CALLS_CASES: readonly StoreCase[] = [
  {
    name: "a call comes back as the text that it was, whatever is in it",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const calls = [...JSON_TEXTS, ...lookAlikes().map((text) => JSON.stringify({ userId: text, [text]: text }))];
      await addAll(
        scene,
        calls.map((call) => ({ source: scene.source, call })),
      );
      const found = (await walkOutbox(scene)).map(({ call }) => call);
      for (const call of calls) expectThat(found.includes(call), `a call did not come back: ${showText(call)}`);
      expectEqual(found.length, calls.length, "how many calls came back");
    },
  },
  {
    name: "a call of the largest size comes back whole",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const texts = [{ text: "x".repeat(MAX_CALL_BYTES) }, { text: "\u{1f600}".repeat(MAX_CALL_BYTES) }];
      const calls = texts.map((text) => ({ source: scene.source, call: JSON.stringify(text) }));
      await addAll(scene, calls);
      expectEqual(inOrder((await walkOutbox(scene)).map(withoutId)), inOrder(calls), "the calls");
    },
  },
  {
    name: "the source of a call is distinct from all that look alike: as it is read, counted and left out",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const texts = [...lookAlikes(), ...["a", "", "null", "a'"].map((text) => JSON.stringify(text))];
      const sources = [...new Set(texts)].map(sourceId);
      await addAll(
        scene,
        sources.map((source) => ({ source, call: JSON.stringify(source) })),
      );
      const entries = await walkOutbox(scene);
      const foundBySource = sources.map((source) => {
        const ofSource = entries.filter(({ call }) => call === JSON.stringify(source));
        return [source, ofSource.map((entry) => entry.source)] as const;
      });
      expectEachItself(new Map(foundBySource), "the source of a call");
      for (const source of sources) {
        const count = await outboxOf(scene).count({ source, limit: 5 });
        expectEqual(count, 1, `how many calls are counted of the source ${showText(source)}`);
      }
      for (const except of halvesOf(sources)) {
        const read = new Set((await walkOutbox(scene, { except: except.map(sourceId) })).map(({ source }) => source));
        for (const source of sources)
          expectEqual(read.has(source), !except.includes(source), `whether ${showText(source)} is read`);
      }
      await emptyOutbox(scene);
    },
  },
  {
    name: "very many calls are read in large pages, counted, left out, and removed at once",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const names = Array.from({ length: MANY_CALLS }, (_, index) => `call ${String(index)}`);
      await addCalls(scene, names);
      await addCalls(scene, ["other"], scene.otherSource);
      const { source } = scene;
      const entries = await walkOutbox(scene, { limit: MANY_CALLS - 500 });
      expectEqual(entries.map(nameOfCall).toSorted(), [...names, "other"].toSorted(), "the calls of large pages");
      expectEqual(await outboxOf(scene).count({ source, limit: 2 * MANY_CALLS }), MANY_CALLS, "the count");
      expectEqual(await namesIn(scene, { except: [source], limit: 10 }), ["other"], "the calls without this source");
      const unknown = Array.from({ length: MANY_SOURCES }, (_, index): SourceId => sourceId(`no ${String(index)}`));
      const except = [...unknown, source];
      expectEqual(await namesIn(scene, { except, limit: 10 }), ["other"], "the calls without very many sources");
      await outboxOf(scene).remove(entries.map(({ id }) => id));
      expectEqual(await namesIn(scene), [], "the calls once all were removed at once");
    },
  },
  {
    name: "a page of very large calls is as full as another",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const text = "x".repeat(MAX_CALL_BYTES);
      const call = JSON.stringify({ ...(JSON.parse(callOf(scene, "large").call) as object), text });
      await addAll(scene, Array(LARGE_CALLS).fill({ source: scene.source, call }));
      const page = await outboxOf(scene).read({ limit: LARGE_CALLS });
      expectEqual(page.length, LARGE_CALLS, "how many calls are on a page");
      await emptyOutbox(scene);
    },
  },
];
