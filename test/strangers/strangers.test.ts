// Three strangers, each in an empty folder with our tarballs and nothing else of ours: what they wrote compiles under
// the strictest settings, library files included, and does in plain Node what they wanted.

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStranger, moveIn, packAll, type Stranger, type Tarballs } from "../house/stranger.js";

let tarballs: Tarballs;

beforeAll(async () => {
  tarballs = await packAll();
}, 120_000);

afterAll(() => {
  tarballs.remove();
});

describe("a stranger", { timeout: 120_000 }, () => {
  it("with core alone maps a call, signs it, judges a 503 and learns when to try again", async () => {
    const stranger = await settle("core-alone", ["@postrider/core"], ["@types/node"]);
    expect(await stranger.compile()).toMatchObject({ code: 0, stdout: "" });

    const { code, stdout, stderr } = await stranger.run("built/index.js");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const printed = new Map(stdout.split("\n").map((line) => split(line)));
    const message = printed.get("message")!;
    expect(JSON.parse(message)).toEqual({
      version: 1,
      type: "track",
      messageId: "m1",
      userId: "u1",
      event: "Signed Up",
      properties: { plan: "pro" },
      context: {},
      timestamp: "2026-01-31T12:00:00.000Z",
      receivedAt: "2026-01-31T12:00:00.000Z",
    });
    const signature = createHmac("sha1", "a long shared secret").update(message).digest("hex");
    expect(printed.get("signature")).toBe(`${signature} is right`);
    expect(printed.get("verdict")).toBe("retry");
    expect(printed.get("next")).toBe("2026-01-31T12:00:06.250Z");
    stranger.remove();
  });
});

async function settle(
  program: string,
  packages: readonly string[],
  thirdParties: readonly string[],
): Promise<Stranger> {
  const stranger = await createStranger(tarballs, packages, thirdParties);
  moveIn(stranger, `test/strangers/${program}`);
  return stranger;
}

function split(line: string): [word: string, rest: string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}
