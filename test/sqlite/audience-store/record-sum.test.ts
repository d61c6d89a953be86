// The old checksum of an audience record is accepted for exactly what was stored, under the key that the record names.

import { describe, expect, it } from "vitest";
import { hasOldSum } from "../../../packages/sqlite/src/audience-store/record-sum.js";
import { textsSum } from "../../../packages/sqlite/src/rows/checksum.js";
import { toText } from "../../../packages/sqlite/src/rows/text.js";

const KEY = 'v"i\ud800p';
const TEXT = JSON.stringify({ key: KEY, id: "vip", name: "VIP", told: [{ destination: "crm", sync: 1 }] });
const OLD = { key: toText(KEY), text: TEXT, checksum: textsSum([TEXT]) };

describe("the old checksum of an audience record", () => {
  it("is accepted under the key that the record names", () => {
    expect(hasOldSum(OLD)).toBe(true);
  });

  it("is not accepted for a record with any one character changed", () => {
    for (let at = 0; at < TEXT.length; at += 1) {
      const changed = String.fromCharCode(TEXT.charCodeAt(at) ^ 1);
      const text = `${TEXT.slice(0, at)}${changed}${TEXT.slice(at + 1)}`;
      expect(hasOldSum({ ...OLD, text })).toBe(false);
    }
  });

  it("is not accepted under another key, nor with another checksum", () => {
    expect(hasOldSum({ ...OLD, key: "another" })).toBe(false);
    expect(hasOldSum({ ...OLD, key: KEY })).toBe(false);
    expect(hasOldSum({ ...OLD, checksum: textsSum([KEY, TEXT]) })).toBe(false);
  });
});
