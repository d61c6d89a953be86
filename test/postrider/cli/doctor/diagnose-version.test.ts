import { describe, expect, it } from "vitest";
import { diagnoseVersion } from "../../../../packages/postrider/src/cli/doctor/diagnose.js";

function judged(program: unknown, status = 200) {
  return diagnoseVersion({ kind: "answered", status, text: JSON.stringify({ program, api: 1, config: 1 }) }, "1.2.3");
}

describe("the version of a server", () => {
  it("is told where it is not that of the program that asks", () => {
    expect(judged("1.3.0")).toEqual([
      { kind: "open", text: "the server is postrider 1.3.0, and this is 1.2.3: an option may be unknown to it" },
    ]);
  });

  it("is not told where both are the same, or the server does not say", () => {
    expect(judged("1.2.3")).toEqual([]);
    expect(judged(null)).toEqual([]);
    expect(judged("1.3.0", 404)).toEqual([]);
    expect(diagnoseVersion({ kind: "unreachable", reason: "no answer" }, "1.2.3")).toEqual([]);
  });
});
