// The texts of records in a trace: what is private in them is hidden, and a replay reads each as it was.

import { describe, expect, it } from "vitest";
import { createDecoder, encode, type Scribe } from "../../packages/relay/src/trace/format/encoding.js";
import { createStandIns } from "../../packages/relay/src/trace/format/stand-ins.js";

const RECORD = { kind: "audience", key: "vip", revision: 2 } as const;
const hiding = (): Scribe => ({ hasBodies: false, standIns: createStandIns() });

describe("the text of a record", () => {
  it("is read as it was, if nothing in it is private", () => {
    const text = JSON.stringify({ name: "Ada’s", $bytes: 3, list: [null, { deep: -0.5, at: 1e21 }], __proto: "" });
    const decode = createDecoder();
    for (const scribe of [hiding(), { hasBodies: true }]) {
      const written: unknown = JSON.parse(JSON.stringify(encode({ ...RECORD, text }, scribe)));
      expect(decode(written)).toEqual({ ...RECORD, text });
    }
  });

  it("has stand-ins for user ids, and shows its other fields", () => {
    const text = JSON.stringify({ told: [{ sync: 1, parts: [{ set: "vip/1", upTo: "jane.doe" }] }] });
    expect(encode({ ...RECORD, text }, hiding())).toEqual({
      ...RECORD,
      text: { $json: { told: [{ sync: 1, parts: [{ set: "vip/1", upTo: "aaaa.aaa" }] }] } },
    });
  });

  it("that is no JSON is hidden as a whole", () => {
    expect(encode({ ...RECORD, text: "{jane" }, hiding())).toEqual({ ...RECORD, text: "{aaaa" });
  });
});
