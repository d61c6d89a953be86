import { spawn } from "node:child_process";
import fc from "fast-check";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { toPrintable } from "../../../packages/postrider/src/log/printable.js";
import "../../property.js";

/** Anything that moves a cursor, turns the direction of text or breaks a line, except those in lines of Postrider. */
const STEERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const STEERING = [0, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202e, 0x2066, 0x2069];

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...STEERING).map((code) => String.fromCharCode(code)),
  ),
  { maxLength: 20 },
);

describe("printable", () => {
  it("leaves no character that controls a terminal", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        expect(toPrintable(parts.join(""))).not.toMatch(STEERS);
      }),
    );
  });

  it("keeps what a line of JSON says, and every text without such characters", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const json = JSON.stringify(parts);
        expect(JSON.parse(toPrintable(json))).toEqual(parts);
        const harmless = json.replace(new RegExp(STEERS, "gu"), "");
        expect(toPrintable(harmless)).toBe(harmless);
      }),
    );
  });
});

describe("postrider listen, as a program", () => {
  it("shows others' control characters and direction marks as escapes", async () => {
    const args = ["packages/postrider/bin/postrider.js", "listen", "--port", "0"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error("ended");
        if (pattern.test(value)) return value;
      }
    };
    const url = /http:\/\/\S+/.exec(await next(/http:/))![0];
    const event = STEERING.map((code) => String.fromCharCode(code)).join("");
    await fetch(url, { method: "POST", body: JSON.stringify({ type: "track", event }) });
    const shown = await next(/signature/);
    expect(shown).not.toMatch(STEERS);
    expect(shown).toContain("\\u009b");
    expect(JSON.parse(shown.slice(shown.indexOf("{")))).toMatchObject({ event });
  });
});
