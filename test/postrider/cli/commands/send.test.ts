import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { receiverOf, serverOf } from "../../server.js";
import { run } from "../../test-host.js";

async function pipeline() {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ destinations }));
  const send = (...words: readonly string[]) => run(["send", "--url", server.url, "--write-key", WRITE_KEY, ...words]);
  return { receiver, send };
}

describe("postrider send", () => {
  it.each([
    [
      ["identify", "--user", "u1", "--traits", '{"plan":"pro"}', "--context", '{"ip":"::1"}'],
      { type: "identify", userId: "u1", traits: { plan: "pro" }, context: { ip: "::1" } },
    ],
    [
      ["track", "--user", "u1", "--event", "Signed Up", "--properties", '{"plan":"pro"}', "--message-id", "m1"],
      { type: "track", userId: "u1", event: "Signed Up", properties: { plan: "pro" }, messageId: "m1" },
    ],
    [
      ["page", "--anonymous", "a1", "--name", "Home", "--category", "Docs"],
      { type: "page", anonymousId: "a1", name: "Home", category: "Docs" },
    ],
    [
      ["screen", "--user", "u1", "--name", "Inbox", "--timestamp", "2026-01-31T12:00:00Z"],
      { type: "screen", name: "Inbox", timestamp: "2026-01-31T12:00:00.000Z" },
    ],
    [["group", "--user", "u1", "--group", "g1"], { type: "group", userId: "u1", groupId: "g1" }],
    [["alias", "--user", "u1", "--previous", "a1"], { type: "alias", "User ID": "u1", "Previous ID": "a1" }],
  ])("makes the call %j", async (words, message) => {
    const { receiver, send } = await pipeline();
    const { code, out } = await send(...words);
    expect(code).toBe(0);
    expect(JSON.parse(out.join())).toMatchObject({ success: true, messageId: expect.any(String) });
    await receiver.count(1);
    expect(receiver.messages[0]).toMatchObject(message);
  });

  it("prints a refusal, and has status 1", async () => {
    const { send } = await pipeline();
    const { code, out } = await send("track", "--user", "u1");
    expect(code).toBe(1);
    expect(JSON.parse(out.join())).toMatchObject({ success: false, error: { code: "no-event" } });
  });

  it("has status 1 and prints the reason if there is no server", async () => {
    const { code, out, err } = await run(["send", "--url", "http://127.0.0.1:1", "--write-key", "k", "track"]);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toEqual([expect.stringMatching(/^postrider: no answer from http:\/\/127\.0\.0\.1:1\/v1\/track: /)]);
  });

  it.each([
    ["no kind", []],
    ["a kind that cannot be sent", ["delete", "--user", "u1"]],
    ["properties that are no object", ["track", "--properties", "[1]"]],
  ])("has status 2 for %s", async (_, words) => {
    const { code, err } = await run(["send", "--url", "http://127.0.0.1:1", "--write-key", "k", ...words]);
    expect(code).toBe(2);
    expect(err[0]).toMatch(/^error: /);
  });

  it.each([
    ["trak", "; did you mean track?"],
    ["Identify", "; did you mean identify?"],
    ["purchase", "."],
  ])("refuses the unknown call type %s, and names the one that was probably meant", async (kind, hint) => {
    expect(await run(["send", kind], { POSTRIDER_URL: "http://127.0.0.1:3", POSTRIDER_WRITE_KEY: "wk" })).toEqual({
      code: 2,
      out: [],
      err: [
        `error: command-argument value '${kind}' is invalid for argument 'kind'. ` +
          `Expected identify, track, page, screen, group or alias${hint}`,
      ],
    });
  });
});
