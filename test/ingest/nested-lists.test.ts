// Batches of nested lists, which are few bytes when zipped and many values: counts what is read between two returns to the event loop.

import { MAX_CALL_BYTES } from "@postrider/core";
import { createIngest } from "@postrider/http/ingest";
import { createRelay } from "@postrider/relay";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SHARED_STEP_UNITS } from "../../packages/core/src/limits.js";
import { SLICE_BYTES } from "../../packages/relay/src/limits.js";
import { WRITE_KEY } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createMemoryPorts } from "../memory-ports.js";
import { watchWork } from "./count-work.js";
import { workspace } from "./world.js";

/** A value costs a slice, and a step of what is shared, this much at least. */
const VALUE_UNITS = 48;
/** The reads of a list: by the check, by what writes it, and of its length and methods. */
const READS = 8;
const MOST_VALUES = Math.max(SLICE_BYTES, SHARED_STEP_UNITS) / VALUE_UNITS + MAX_CALL_BYTES;

const page = (index: number, fields: string): string => `{"type":"page","userId":"u${String(index)}",${fields}}`;
const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join();
const lists = (count: number): string => `[${times(count, () => "[]")}]`;
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const BATCHES: readonly (readonly [what: string, body: string, accepted: number])[] = [
  [
    "calls of lists that are 58 levels deep",
    `{"batch":[${times(15, (index) => page(index, `"properties":{"a":[${times(270, () => deep(58))}]}`))}]}`,
    15,
  ],
  [
    "calls of empty lists",
    `{"batch":[${times(15, (index) => page(index, `"properties":{"a":${lists(10_500)}}`))}]}`,
    15,
  ],
  [
    "a shared context of lists in many fields",
    `{"context":{${times(6_500, (index) => `"${index.toString(36)}":${lists(20)}`)}},"batch":[${page(0, '"properties":{}')}]}`,
    0,
  ],
  ["a shared context of one list", `{"context":{"a":${lists(160_000)}},"batch":[${page(0, '"properties":{}')}]}`, 0],
];

describe("a batch of nested lists", () => {
  it.each(BATCHES)(
    "is worked off in turns that each read a bounded number of values: %s",
    async (_, body, accepted) => {
      const ports = createMemoryPorts();
      const { clock } = ports;
      const relay = createRelay({ ...ports, workspace: workspace() });
      const ingest = createIngest({ relay, clock, timers: clock });
      const authorization = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
      const bytes = gzipSync(body);
      const watch = watchWork();
      const state = { isAnswered: false };
      const asked = ingest(request("POST", "/v1/batch", { bytes, headers: { authorization } })).finally(
        () => (state.isAnswered = true),
      );
      while (!state.isAnswered) await clock.advance(0);
      const turns = watch.stop();
      expect(JSON.parse(textOf(await asked))).toMatchObject({ accepted });
      expect(Math.max(...turns.map(({ read }) => read))).toBeLessThanOrEqual(READS * MOST_VALUES);
    },
  );
});
