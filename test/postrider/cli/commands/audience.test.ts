import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { configJson, tempFolder } from "../../config-file.js";
import { api, receiverOf, serverOf } from "../../server.js";
import { run } from "../../test-host.js";

async function started() {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const access = ["--url", server.url, "--token", TOKEN];
  const audience = (words: readonly string[], input = "") => run(["audience", ...words, ...access], {}, input);
  return { receiver, audience, url: server.url };
}

function fileOf(name: string, text: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** The users u1, u2 and so on, under a header. */
function csvTo(count: number): string {
  return ["user_id", ...Array.from({ length: count }, (_, at) => `u${String(at + 1)}`)].join("\n");
}

async function withMembers(count: number) {
  const scene = await started();
  await scene.audience(["create", "A", "--destination", "crm"]);
  expect(await scene.audience(["sync", "a", fileOf("first.csv", csvTo(count))])).toMatchObject({ code: 0 });
  return scene;
}

describe("postrider audience", () => {
  it("creates an audience, syncs it from a file and from standard input, and lists it", async () => {
    const { receiver, audience } = await started();
    const created = await audience(["create", "Big Spenders", "--destination", "crm"]);
    expect(created).toMatchObject({ code: 0, out: ["created big_spenders"] });
    const first = await audience(["sync", "big_spenders", fileOf("members.csv", "user_id\nu1\nu2\n")]);
    expect(first).toMatchObject({ code: 0, err: [] });
    expect(first.out.at(-1)).toMatch(/sync 1: 2 members, 2 entered, 0 departed, 0 changed$/);
    expect(first.out[0]).toMatch(/^big_spenders: 2 members are stored after \d+\.\d s, [\d,]+ a second$/);
    await receiver.count(2);
    const second = await audience(["sync", "big_spenders", "-"], '"u2"\n"u3"\n"u4"\n');
    expect(second.out.at(-1)).toMatch(/sync 2: 3 members, 2 entered, 1 departed, 0 changed$/);
    await receiver.count(5);
    expect((await audience(["list"])).out).toEqual([
      "big_spenders: sync 2: 3 members, 2 entered, 1 departed, 0 changed; tells crm",
    ]);
  });

  it("creates a computed trait that is sent as track", async () => {
    const { receiver, audience } = await started();
    await audience(["create", "Score", "--kind", "trait", "--sends-as", "track", "--destination", "crm"]);
    const file = fileOf("values.ndjson", '{"userId":"u1","value":7}\n');
    expect(await audience(["sync", "score", file, "--no-wait"])).toMatchObject({ code: 0 });
    await receiver.count(1);
    expect(receiver.messages[0]).toMatchObject({
      event: "Trait Computed",
      properties: { trait_key: "score", score: 7 },
    });
  });

  it("has status 1 for a line that is not a member, and names the line", async () => {
    const { audience, url } = await started();
    await audience(["create", "A", "--destination", "crm"]);
    const text = `${'"u1"\n'.repeat(200_000)}nobody\n${'"u2"\n'.repeat(2_000_000)}`;
    const { code, err } = await audience(["sync", "a", fileOf("members", text)]);
    expect({ code, err: err.at(-1) }).toEqual({ code: 1, err: expect.stringContaining("line 200001: expected JSON") });
    expect(await (await api(url, "audiences/a", TOKEN)).json()).toMatchObject({ running: null, last: null });
  });

  it("removes more than half of the members by a file only with --yes", async () => {
    const { audience } = await withMembers(20);
    const file = fileOf("members.csv", csvTo(9));
    const refused = await audience(["sync", "a", file]);
    expect(refused.code).toBe(1);
    expect(refused.err.join("\n")).toContain("11 members would leave; if that is right, add --yes");
    expect((await audience(["list"])).out[0]).toContain("sync 1: 20 members");
    const confirmed = await audience(["sync", "a", file, "--yes"]);
    expect(confirmed.code).toBe(0);
    expect(confirmed.out.at(-1)).toContain("9 members, 0 entered, 11 departed");
  });

  it("removes more than half of the members by standard input only with their exact number", async () => {
    const { audience } = await withMembers(20);
    const words = ["sync", "a", "-", "--format", "csv"];
    for (const flags of [[], ["--yes"], ["--confirm-remove", "10"]]) {
      const { code, err } = await audience([...words, ...flags], csvTo(9));
      expect(code).toBe(1);
      expect(err.join("\n")).toContain("11 members would leave; if that is right, add --confirm-remove 11");
    }
    expect((await audience(["list"])).out[0]).toContain("sync 1: 20 members");
    const { code, out } = await audience([...words, "--confirm-remove", "11"], csvTo(9));
    expect({ code, last: out.at(-1) }).toEqual({ code: 0, last: expect.stringContaining("11 departed") });
  });

  it("requires a header in a CSV, unless --no-header is given", async () => {
    const { audience } = await withMembers(2);
    const file = fileOf("members.csv", "u1\nu3\n");
    const refused = await audience(["sync", "a", file]);
    expect(refused).toMatchObject({ code: 1, err: [expect.stringContaining("--no-header")] });
    expect((await audience(["list"])).out[0]).toContain("sync 1: 2 members");
    const taken = await audience(["sync", "a", file, "--no-header"]);
    expect({ code: taken.code, last: taken.out.at(-1) }).toEqual({
      code: 0,
      last: expect.stringContaining("2 members, 1 entered, 1 departed"),
    });
    const piped = await audience(["sync", "a", "-", "--no-header"], "u3\n");
    expect(piped.out.at(-1)).toContain("1 member, 0 entered, 1 departed");
  });

  it("has status 1 for an input that is empty, and changes nothing", async () => {
    const { audience } = await withMembers(2);
    for (const flags of [[], ["--format", "csv"], ["--no-header"]]) {
      const { code, err } = await audience(["sync", "a", "-", ...flags], "");
      expect({ code, err }).toEqual({ code: 1, err: [expect.stringContaining("found nothing")] });
    }
    expect((await audience(["list"])).out[0]).toContain("sync 1: 2 members");
  });

  it("has status 1 and prints the server's answer", async () => {
    const { audience, url } = await started();
    const file = fileOf("members", '"u1"\n');
    for (const [words, status] of [
      [["sync", "none", file], 404],
      [["create", "!", "--destination", "crm"], 400],
      [["create", "A", "--destination", "none"], 400],
    ] as const) {
      const told = await audience(words);
      expect({ code: told.code, first: told.err[0] }).toEqual({
        code: 1,
        first: expect.stringContaining(`answered ${String(status)}`),
      });
    }
    const stranger = await run(["audience", "list", "--url", url, "--token", "wrong"]);
    expect(stranger).toMatchObject({ code: 1, err: [expect.stringContaining("answered 401")] });
  });

  it("has status 1 for a missing file, and for a server that cannot be reached", async () => {
    const { audience } = await started();
    for (const [missing, expected] of [
      ["no/such/file", "a file that exists"],
      ["test", "a file, not a folder"],
      ["/dev/null", "a file, or - for standard input"],
    ] as const) {
      const err = [`postrider: cannot read ${missing}: expected ${expected}`];
      expect(await audience(["sync", "a", missing])).toMatchObject({ code: 1, err });
    }
    const file = fileOf("members", '"u1"\n');
    const away = await run(["audience", "sync", "a", file, "--url", "http://127.0.0.1:1", "--token", TOKEN]);
    expect(away).toMatchObject({ code: 1, err: [expect.stringContaining("ECONNREFUSED")] });
  });

  it.each([
    ["no destination", ["create", "A"]],
    ["an unknown kind", ["create", "A", "--destination", "crm", "--kind", "set"]],
    ["no file", ["sync", "a"]],
    ["an unknown format", ["sync", "a", "-", "--format", "xml"]],
    ["an invalid number of members", ["sync", "a", "-", "--confirm-remove", "all"]],
    ["no subcommand", []],
    ["an unknown subcommand", ["drop", "a"]],
  ])("has status 2 for %s", async (_, words) => {
    expect((await run(["audience", ...words, "--url", "http://127.0.0.1:1", "--token", TOKEN])).code).toBe(2);
  });

  it("shows a help text with examples", async () => {
    for (const words of [[], ["create"], ["sync"], ["list"]]) {
      const { code, out } = await run(["audience", ...words, "--help"]);
      expect(code).toBe(0);
      expect(out[0]).toMatch(/^Usage: postrider audience /);
    }
  });
});
