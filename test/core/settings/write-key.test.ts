import { createSecret, readWriteKey, type WriteKey } from "@postrider/core";
import { describe, expect, it } from "vitest";

const HEX = "0123456789abcdef".repeat(4);

describe("readWriteKey", () => {
  it.each<[string, string, WriteKey]>([
    ["a key", "wk_website", { kind: "plain", key: "wk_website" }],
    ["no key", "", { kind: "plain", key: "" }],
    ["64 digits alone", HEX, { kind: "plain", key: HEX }],
    ["a digest", `sha256:${HEX}`, { kind: "digest", hex: HEX }],
    ["a digest that is too short", `sha256:${HEX.slice(1)}`, { kind: "bad" }],
    ["a digest that is too long", `sha256:${HEX}0`, { kind: "bad" }],
    ["a digest with a line after it", `sha256:${HEX}\n`, { kind: "bad" }],
    ["a digest in capitals", `sha256:${HEX.toUpperCase()}`, { kind: "bad" }],
    ["a digest of nothing", "sha256:", { kind: "bad" }],
    ["another algorithm", `sha512:${HEX}`, { kind: "plain", key: `sha512:${HEX}` }],
    ["a digest further in", `x sha256:${HEX}`, { kind: "plain", key: `x sha256:${HEX}` }],
  ])("reads %s", (_, text, expected) => {
    expect(readWriteKey(createSecret(text))).toEqual(expected);
  });
});
