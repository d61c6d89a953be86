// Which `traceparent` is worth storing.

import { sampledTraceparent } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("a traceparent", () => {
  it.each(["01", "03", "ff"])(
    "is returned as it was given if its flags, %s, say that its span is recorded",
    (flags) => {
      expect(sampledTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).toBe(`00-${TRACE}-${SPAN}-${flags}`);
    },
  );

  it.each(["00", "02", "fe"])("has no effect if its flags, %s, say that its span is not recorded", (flags) => {
    expect(sampledTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).toBeUndefined();
  });

  it.each([
    ["a trace id of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["another version", `01-${TRACE}-${SPAN}-01`],
    ["upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["a short trace id", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["a further part", `00-${TRACE}-${SPAN}-01-x`],
    ["a blank before it", ` 00-${TRACE}-${SPAN}-01`],
    ["a line break after it", `00-${TRACE}-${SPAN}-01\n`],
    ["no text", ""],
    ["no string", { toString: (): string => `00-${TRACE}-${SPAN}-01` }],
    ["nothing", undefined],
  ])("has no effect if it has %s", (_, text) => {
    expect(sampledTraceparent(text)).toBeUndefined();
  });
});
