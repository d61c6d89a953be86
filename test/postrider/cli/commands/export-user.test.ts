import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../../../canary.js";
import { close, listen } from "../../../loopback.js";
import { configJson, tempFolder } from "../../config-file.js";
import { receiverOf, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

async function started() {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  await track(server.url, { userId: "ü/1", messageId: "m1" });
  await receiver.count(1);
  return { call: exporting(server.url) };
}

const exporting =
  (url: string) =>
  (...words: readonly string[]) =>
    run(["export-user", "--url", url, "--token", TOKEN, ...words]);

/** A server that answers an export with this text, and cuts the connection after it. */
async function brokenServer(text: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": text.length + 1 }).write(text, () => response.destroy());
  });
  onTestFinished(() => close(server));
  return exporting(`http://127.0.0.1:${String(await listen(server))}`);
}

describe("postrider export-user", () => {
  it("writes each thing that is held as a line, and says how many there are", async () => {
    const { call } = await started();
    const { code, out, err } = await call("ü/1");
    expect([code, err]).toEqual([0, ["1 thing held of this user"]]);
    expect(out.map((line) => JSON.parse(line))).toMatchObject([
      { kind: "delivery", delivery: { message: { userId: "ü/1", messageId: "m1" } } },
    ]);
    expect(await call("u2")).toMatchObject({ code: 0, out: [], err: ["nothing is held of this user"] });
  });

  it("writes to a new file that only its owner can read", async () => {
    const { call } = await started();
    const file = join(tempFolder(), "u1.ndjson");
    expect(await call("ü/1", "--to", file)).toMatchObject({ code: 0, out: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.slice(0, 18)),
    ).toEqual(['{"kind":"delivery"', ""]);
    expect(await call("ü/1", "--to", file)).toMatchObject({
      code: 1,
      err: [`postrider: ${file} cannot be created: EEXIST`],
    });
  });

  it.each([
    ["breaks off within a line", '{"kind":"suppression"}\n{"kind'],
    ["breaks off after a line", '{"kind":"suppression"}\n'],
  ])("has status 1 and leaves no file if the answer %s", async (_, text) => {
    const call = await brokenServer(text);
    const file = join(tempFolder(), "u1.ndjson");
    const { code, err } = await call("u1", "--to", file);
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(err.join()).toContain("the answer broke off");
  });

  it("has status 1 if the end is missing although the answer has ended", async () => {
    const server = createServer((_, response) => response.end('{"kind":"suppression"}\n'));
    onTestFinished(() => close(server));
    const { code, err } = await exporting(`http://127.0.0.1:${String(await listen(server))}`)("u1");
    expect([code, err]).toEqual([1, ["postrider: the answer broke off"]]);
  });

  it("has status 1 if the server refuses or is not there", async () => {
    const { call } = await started();
    expect((await call("u1", "--token", "wrong-token-000000")).code).toBe(1);
    expect((await exporting("http://127.0.0.1:9")("u1")).err.join()).toContain("no answer from http://127.0.0.1:9");
  });
});
