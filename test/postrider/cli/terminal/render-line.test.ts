import { describe, expect, it } from "vitest";
import { type Line, renderLine, wantsColours } from "../../../../packages/postrider/src/cli/terminal/line.js";

const LINE: Line = [{ text: "bad", style: "bad" }, " is \u001b[2J", { text: "\u001b]0;x\u0007", style: "quiet" }];
const NOTHING: Readonly<Record<string, string>> = {};

describe("a styled line", () => {
  it("has colours where they are wanted, and no escape sequence of its texts", () => {
    expect(renderLine(LINE, true)).toBe("\u001b[31mbad\u001b[0m is \\u001b[2J\u001b[2m\\u001b]0;x\\u0007\u001b[0m");
  });

  it("is plain text where they are not", () => {
    expect(renderLine(LINE, false)).toBe("bad is \\u001b[2J\\u001b]0;x\\u0007");
  });

  it("has no colours if it is a text, such as JSON", () => {
    expect(renderLine('{"state":"dead"}', true)).toBe('{"state":"dead"}');
  });
});

describe("colours", () => {
  it.each([
    [true, true, NOTHING],
    [false, false, NOTHING],
    [false, true, { NO_COLOR: "1" }],
    [true, true, { NO_COLOR: "" }],
    [false, true, { TERM: "dumb" }],
    [true, true, { TERM: "xterm-256color" }],
    [true, false, { FORCE_COLOR: "1" }],
    [true, false, { FORCE_COLOR: "" }],
    [true, true, { FORCE_COLOR: "1", NO_COLOR: "1" }],
    [false, true, { FORCE_COLOR: "0" }],
    [false, true, { FORCE_COLOR: "false" }],
  ] as const)("are %s where it is %s that there is a terminal, with %j", (expected, isTerminal, env) => {
    const named: Readonly<Record<string, string>> = env;
    expect(wantsColours(isTerminal, (name) => named[name])).toBe(expected);
  });
});
