// The watch that every test runs under sees what it is there to see. What it has seen is taken from it here, so that
// these tests pass; what it lets through is not the secret.

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { look, lookAtFiles, SECRET, takeSeen, TOKEN, WRITE_KEY } from "./canary.js";
import { close, listen } from "./loopback.js";

/** Where something was seen, without what. */
function places(): readonly string[] {
  return takeSeen().map((sighting) => sighting.slice(0, sighting.indexOf(":")));
}

describe("a secret of the test run", () => {
  it.each<readonly [string, unknown]>([
    ["plain", SECRET],
    ["deep in an object", { a: [{ b: new Map([["c", { d: { e: SECRET } }]]) }] }],
    ["as bytes", Buffer.from(`....${SECRET}`).subarray(2)],
    ["as hex", Buffer.from(SECRET).toString("hex")],
    ["in base64", Buffer.from(`${TOKEN}:`).toString("base64")],
    ["in base64, a byte later", Buffer.from(`a${TOKEN}`).toString("base64")],
    ["in base64, two bytes later", Buffer.from(`ab${TOKEN}`).toString("base64")],
  ])("is known %s", (_, what) => {
    expect(look("here", what)).toBe(true);
    expect(places()).toEqual(["here"]);
  });

  it("is not seen where there is none", () => {
    const answer = `{"integrations":{"Segment.io":{"apiKey":"${WRITE_KEY}"}}}`;
    for (const what of ["", "secret", { secret: "token" }, new Uint8Array(9), answer]) {
      expect(look("here", what)).toBe(false);
    }
  });

  it("is seen in what is printed, and is not printed", () => {
    console.log("a", { b: SECRET });
    console.error(SECRET);
    process.stdout.write(`${SECRET}\n`);
    process.stderr.write(Buffer.from(SECRET));
    expect(places()).toEqual(expect.arrayContaining(["console.log", "console.error", "standard output"]));
  });

  it("is seen in what is thrown, though it be caught", () => {
    const Named = class extends TypeError {};
    const thrown = [new Error(SECRET), new Named(SECRET), RangeError("a", { cause: { secret: SECRET } })];
    expect(thrown.map((error) => error instanceof Error)).toEqual([true, true, true]);
    expect(places()).toEqual(["an error", "an error", "an error"]);
    expect(thrown.map(({ message }) => message)).toEqual(["[a secret]", "[a secret]", "a"]);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["a header", (response) => response.setHeader("X-A", SECRET).end()],
    ["the head", (response) => response.writeHead(200, { "X-A": SECRET }).end()],
    ["a part of the body", (response) => (response.write(Buffer.from(SECRET)), response.end())],
    ["the body", (response) => response.end(SECRET)],
  ])("is seen in an answer of HTTP: in %s", async (_, respond) => {
    const server = createServer((_request, response) => respond(response));
    const port = await listen(server);
    await fetch(`http://127.0.0.1:${String(port)}/`).catch(() => undefined);
    await close(server);
    expect(places()).toContain("an answer");
  });

  it("is seen in a database, in its journal too, in whatever folder of the run it lies", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-canary-"));
    const database = new DatabaseSync(join(folder, "a.db"));
    database.exec("pragma journal_mode = wal; create table a (b)");
    database.prepare("insert into a values (?)").run(SECRET);
    lookAtFiles(join(folder, ".."));
    expect(places()).toEqual(["the file a.db-wal"]);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    lookAtFiles(folder);
    expect(places()).toEqual(["the file a.db"]);
    database.open();
    database.exec("pragma secure_delete = on; delete from a; pragma wal_checkpoint(truncate); vacuum");
    database.close();
  });

  it("is seen again in a file only if the file has changed since it was looked at", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-canary-"));
    const seenBefore = new Map<string, string>();
    writeFileSync(join(folder, "a.log"), SECRET);
    lookAtFiles(folder, seenBefore);
    lookAtFiles(folder, seenBefore);
    expect(places()).toEqual(["the file a.log"]);
    appendFileSync(join(folder, "a.log"), "more");
    lookAtFiles(folder, seenBefore);
    expect(places()).toEqual(["the file a.log"]);
    rmSync(folder, { recursive: true });
  });

  it("may stand in a config, and what a test starts has the same folder", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-canary-"));
    writeFileSync(join(folder, "postrider.json"), SECRET);
    lookAtFiles(folder);
    expect(places()).toEqual([]);
    const { stdout } = spawnSync(process.execPath, ["-p", "os.tmpdir()"], { encoding: "utf8" });
    expect(stdout.trim()).toBe(tmpdir());
  });
});
