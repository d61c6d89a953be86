import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitIntoRequests } from "../../../../packages/postrider/src/cli/commands/users.js";
import { TOKEN } from "../../../canary.js";
import { configJson, tempFolder } from "../../config-file.js";
import { api, receiverOf, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

async function started() {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const runWithToken = (...words: readonly string[]) => run([...words, "--url", server.url, "--token", TOKEN]);
  const suppressed = async () => (await (await api(server.url, "suppressed", TOKEN)).json()).userIds as unknown;
  return { receiver, runWithToken, suppressed, url: server.url };
}

function fileOf(text: string): string {
  const file = join(tempFolder(), "users.txt");
  writeFileSync(file, text);
  return file;
}

describe("postrider delete-user", () => {
  it("notifies the receivers, and waits for its requests if asked to", async () => {
    const { receiver, runWithToken, suppressed } = await started();
    const { code, out } = await runWithToken("delete-user", "u1", "u2", "--wait");
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(/^delete-only of 2 users is in force: \w+$/),
      // The receiver may have them already.
      expect.stringMatching(
        / is (finished|done here, and waits for receivers): 2 users, 0 deliveries without a body, 2 notices from website( \(\d waiting\))?$/,
      ),
    ]);
    await receiver.count(2);
    expect(receiver.messages.map(({ type, userId }) => [type, userId])).toEqual(
      expect.arrayContaining([
        ["delete", "u1"],
        ["delete", "u2"],
      ]),
    );
    expect(await suppressed()).toEqual([]);
  });

  it("reads users from a file, and sends as many requests as needed", async () => {
    const { runWithToken, suppressed } = await started();
    const ids = Array.from({ length: 5_001 }, (_, index) => `u${String(index)}`);
    const words = ["--file", fileOf(`\ufeff${ids.join("\r\n")}\r\n\r\n`), "--regulation", "suppress-with-delete"];
    const { code, out } = await runWithToken("delete-user", ...words, "--source", "website");
    expect(code).toBe(0);
    expect(out.map((line) => line.replace(/: \w+$/, ""))).toEqual([
      "suppress-with-delete of 5,000 users is in force",
      "suppress-with-delete of 1 user is in force",
    ]);
    expect(await suppressed()).toHaveLength(500);
  });

  it("has status 1 and prints the server's answer", async () => {
    const { runWithToken } = await started();
    const unknown = await runWithToken("delete-user", "u1", "--source", "none");
    expect(unknown).toMatchObject({
      code: 1,
      err: [expect.stringContaining("sources[0]: expected"), "there is no source none; there is website"],
    });
  });

  it.each([
    ["no users", []],
    ["users and a file", ["u1", "--file", "f"]],
    ["a file without user ids", ["--file", "/dev/null"]],
    ["a regulation of another command", ["u1", "--regulation", "unsuppress"]],
  ])("has status 2 for %s", async (_, words) => {
    expect((await run(["delete-user", ...words, "--url", "http://127.0.0.1:1", "--token", TOKEN])).code).toBe(2);
  });

  it.each([
    ["no/such/file", "a file that exists"],
    ["test", "a file, not a folder"],
  ])("has status 2 for the file %s, and says why it cannot be read", async (file, expected) => {
    const told = await run(["delete-user", "--file", file, "--url", "http://127.0.0.1:1", "--token", TOKEN]);
    expect(told).toEqual({ code: 2, out: [], err: [`error: cannot read ${file}: expected ${expected}`] });
  });

  it("makes requests that a server accepts, however long the ids are", () => {
    const ids = Array.from({ length: 300 }, (_, index) => `${String(index)}${"ü".repeat(2_000)}`);
    const requests = splitIntoRequests(ids);
    expect(requests.flat()).toEqual(ids);
    for (const userIds of requests) expect(Buffer.byteLength(JSON.stringify({ userIds }))).toBeLessThan(500_000);
  });
});

describe("postrider suppress and unsuppress", () => {
  it("block the calls of users, and accept them again", async () => {
    const { receiver, runWithToken, suppressed, url } = await started();
    expect(await runWithToken("suppress", "u1", "u2")).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^suppress-only of 2 users is in force/)],
    });
    expect(await suppressed()).toEqual(["u1", "u2"]);
    expect((await track(url, { userId: "u1" })).status).toBe(200);
    expect(await (await api(url, "stats", TOKEN)).json()).toMatchObject({ accepted: 0, suppressed: 1 });
    expect(await runWithToken("unsuppress", "--file", fileOf("u1\n"))).toMatchObject({ code: 0 });
    expect(await suppressed()).toEqual(["u2"]);
    await track(url, { userId: "u1" });
    await receiver.count(1);
  });

  it.each(["suppress", "unsuppress"])("%s has status 2 without users, and reports what is missing", async (command) => {
    expect((await run([command, "--url", "http://127.0.0.1:1", "--token", TOKEN])).code).toBe(2);
    expect((await run([command, "--help"])).out.join("\n")).toContain(`$ postrider ${command} u1`);
  });
});
