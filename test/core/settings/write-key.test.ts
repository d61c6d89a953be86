import { createSecret } from "@postrider/core";
import { readWriteKey, type ReadWriteKeyResult } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const HEX = "0123456789abcdef".repeat(4);
const BAD_DIGEST: ReadWriteKeyResult = { kind: "refused", expected: "sha256: and 64 lower-case hexadecimal digits" };
const COLON: ReadWriteKeyResult = {
  kind: "refused",
  expected: "a write key without a colon, since Basic auth ends a key there",
};

describe("readWriteKey", () => {
  it.each<[string, string, ReadWriteKeyResult]>([
    ["a key", "wk_website", { kind: "plain", key: "wk_website" }],
    ["no key", "", { kind: "plain", key: "" }],
    ["64 digits alone", HEX, { kind: "plain", key: HEX }],
    ["a digest", `sha256:${HEX}`, { kind: "digest", hex: HEX }],
    ["a digest that is too short", `sha256:${HEX.slice(1)}`, BAD_DIGEST],
    ["a digest that is too long", `sha256:${HEX}0`, BAD_DIGEST],
    ["a digest with a line end after it", `sha256:${HEX}\n`, { kind: "digest", hex: HEX }],
    ["a key with blanks and line ends around it", " \twk_website\r\n", { kind: "plain", key: "wk_website" }],
    ["blanks alone", " \n", { kind: "plain", key: "" }],
    ["a blank inside a key", "wk website", { kind: "plain", key: "wk website" }],
    ["a digest in capitals", `sha256:${HEX.toUpperCase()}`, BAD_DIGEST],
    ["a digest of nothing", "sha256:", BAD_DIGEST],
    ["a key with a colon", "a:b", COLON],
    ["a key that ends in a colon", "wk_website:", COLON],
    ["another algorithm", `sha512:${HEX}`, COLON],
    ["a digest further in", `x sha256:${HEX}`, COLON],
  ])("reads %s", (_, text, expected) => {
    expect(readWriteKey(createSecret(text))).toEqual(expected);
  });
});
