// Runs the examples of docs/guides/people.md: its commands in order and its requests unchanged, and compares what receivers
// get. Only the address, the token and the files are different.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import { createReceiver, type Receiver } from "../end-to-end/receiver.js";
import { configJson, tempFolder } from "../postrider/config-file.js";
import { serverOf } from "../postrider/server.js";
import { type Ran, run } from "../postrider/test-host.js";

const GUIDE = readFileSync("docs/guides/people.md", "utf8");
const USERS = "u4\n";
const NO_HEADER = "u1\nu2\nu3\n";

function blocks(language: string): readonly string[] {
  return [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text!);
}

interface Scene {
  readonly receiver: Receiver;
  readonly command: (line: string) => Promise<Ran>;
  readonly post: (http: string) => Promise<Record<string, unknown>>;
}

async function scene(): Promise<Scene> {
  const receiver = await createReceiver(200);
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const folder = tempFolder();
  const texts = blocks("text");
  const files = { "members.csv": texts[1]!, "values.csv": texts[2]!, "users.txt": USERS, "no-header.csv": NO_HEADER };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const wordsOf = (line: string): readonly string[] =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)]
      .map(([, quoted, plain]) => quoted ?? plain!)
      .map((word) => (Object.hasOwn(files, word) ? join(folder, word) : word))
      .map((word) => word.replace("$API_TOKEN", TOKEN).replace("http://127.0.0.1:8080", server.url));
  return {
    receiver,
    command: (line) => run(wordsOf(line).slice(1)),
    post: async (http) => {
      const [, path, body] = /^POST (\S+)\n\n(.*)$/s.exec(http)!;
      const response = await fetch(`${server.url}${path!}`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}` },
        body: body!,
      });
      expect(response.status).toBe(202);
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

/** Without the parts that differ in each run. */
function plain(line: string): string {
  return line.replace(/after [\d.]+ s, [\d,]+ a second/, "after a while");
}

describe("docs/guides/people.md", () => {
  it("does what it says", async () => {
    const { receiver, command, post } = await scene();
    const [audiences, guarded, traits, deletions, suppressions] = blocks("sh").map((text) => text.trim().split("\n"));
    const [message, synced, deleted] = blocks("json").map((text) => JSON.parse(text) as Record<string, unknown>);
    const [sync, request] = blocks("http");

    const said: string[] = [];
    for (const line of audiences!) {
      const { code, out } = await command(line);
      expect(code).toBe(0);
      said.push(...out);
    }
    expect(said.map(plain)).toEqual(blocks("text")[0]!.trim().split("\n").map(plain));
    await receiver.count(3);
    const first = receiver.requests.find(({ message: got }) => got["userId"] === "u1")!.message;
    const { computation_id: id, ...personas } = (first["context"] as { personas: Record<string, unknown> }).personas;
    expect(id).toMatch(/^aud_/);
    const shown = (message!["context"] as { personas: Record<string, unknown> }).personas;
    expect(first).toMatchObject({ ...message, context: { personas } });
    expect({ ...shown, computation_id: id }).toEqual({ ...personas, computation_id: id });

    const answer = await post(sync!);
    expect(Object.keys(answer)).toEqual(Object.keys(synced!));
    expect(answer).toMatchObject({ sync: synced!["sync"], members: synced!["members"] });
    await receiver.count(5);

    for (const line of guarded!) expect(await command(line)).toMatchObject({ code: 0 });
    await receiver.count(7);

    for (const line of traits!) expect(await command(line)).toMatchObject({ code: 0 });
    await receiver.count(9);
    const values = receiver.requests
      .slice(7)
      .map(({ message: got }) => (got["traits"] as object)["lifetime_value" as never]);
    expect(values).toEqual(expect.arrayContaining([310.5, { total: 12, currency: "EUR" }]));

    for (const line of deletions!) expect(await command(line)).toMatchObject({ code: 0 });
    expect(Object.keys(await post(request!))).toEqual(Object.keys(deleted!));
    await receiver.count(13);
    const told = receiver.requests
      .slice(9)
      .map(({ message: got }) => `${String(got["type"])} ${String(got["userId"])}`);
    expect(told.sort()).toEqual(["delete u1", "delete u2", "delete u3", "delete u4"]);

    for (const line of suppressions!) expect(await command(line)).toMatchObject({ code: 0 });
  });
});
