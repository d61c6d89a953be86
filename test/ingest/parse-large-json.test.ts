import { MAX_TEXT_DEPTH } from "@postrider/core/engine";
import { parseJson, type ReadJsonResult } from "@postrider/http";
import { describe, expect, it } from "vitest";
import { parseLargeJson } from "../../packages/http/src/ingest/parse-capacity.js";

function parseAll(bytes: Uint8Array): { readonly read: ReadJsonResult; readonly steps: number } {
  const parsing = parseLargeJson(bytes);
  let steps = 1;
  let step = parsing.next();
  for (; step.done !== true; step = parsing.next()) steps += 1;
  return { read: step.value, steps };
}

const LONG = JSON.stringify({ batch: Array.from({ length: 9_000 }, (_, index) => ({ userId: `u${String(index)}` })) });

describe("parseLargeJson", () => {
  it.each([
    ["a long list", Buffer.from(LONG)],
    ["a byte order mark", Buffer.from("\uFEFF{}")],
    ["half an object", Buffer.from(LONG.slice(0, -1))],
    ["a broken byte", Buffer.from([0x22, 0xff, 0x22])],
    ["what nests too deep", Buffer.from("[".repeat(MAX_TEXT_DEPTH + 1) + "]".repeat(MAX_TEXT_DEPTH + 1))],
  ])("answers what parseJson does: %s", (_, bytes) => {
    expect(parseAll(bytes).read).toEqual(parseJson(bytes));
  });

  it("takes several steps for a long text", () => {
    expect(parseAll(Buffer.from(LONG)).steps).toBeGreaterThan(2);
  });
});
