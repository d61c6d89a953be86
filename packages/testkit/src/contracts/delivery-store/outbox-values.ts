// Cases of an outbox with very many calls, and with large ones: a database has limits for rows, bytes and places of a statement.

import { MAX_CALL_BYTES, type SourceId, sourceId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { addAll, addCalls, callOf, emptyOutbox, nameOfCall, namesIn, outboxOf, walkOutbox } from "./outbox-scene.js";
import type { StoreCase } from "./scene.js";

/** More than a database reads at once that has a limit of 1,000 rows, or takes in a statement with 2,100 places. */
const MANY_CALLS = 2_500;
/** More than any database takes as places of one statement. */
const MANY_SOURCES = 70_000;
/** Of the largest size: more than a megabyte together. */
const LARGE_CALLS = 40;

export const LARGE_OUTBOX_CASES: readonly StoreCase[] = [
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
