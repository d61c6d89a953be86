// `postrider backup` beside a server under load: nothing that was answered 200 before it began is missing in the copy, callers
// notice nothing, and a server starts on the copy.

import { DatabaseSync } from "@photostructure/sqlite";
import { mkdirSync, readdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../postrider/config-file.js";
import { createReceiver } from "./receiver.js";
import { ask, createScene, destination, stats, track } from "./scene.js";
import { runProcess, serve } from "./server-process.js";

const CALLERS = 8;
const CALLS_BEFORE = 200;
const FILLER_MEGABYTES = 120;

/** Keeps calling until stopped; `answered` has the ids of all calls that were answered 200, oldest first. */
function callers(url: string) {
  const [answered, refused]: [string[], number[]] = [[], []];
  let isCalling = true;
  const all = Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let nth = 0; isCalling; nth += 1) {
        const messageId = `${String(caller)}-${String(nth)}`;
        const status = await track(url, { messageId });
        if (status === 200) answered.push(messageId);
        else refused.push(status);
      }
    }),
  );
  const stop = async (): Promise<void> => {
    isCalling = false;
    await all;
  };
  return { answered, refused, stop };
}

/** The ids of all calls in a store, over all pages. */
async function idsIn(url: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after = "";
  for (;;) {
    const page = await ask<{ deliveries: readonly { messageId: string }[]; next: string | null }>(
      url,
      `deliveries?limit=500${after}`,
    );
    for (const { messageId } of page.deliveries) ids.add(messageId);
    if (page.next === null) return ids;
    after = `&after=${page.next}`;
  }
}

/** The config of a scene in a new folder, with the copy as its store. */
function restored(config: string, copy: string): string {
  const file = join(tempFolder(), "postrider.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), store: `sqlite:${copy}` }));
  return file;
}

it("a backup of a server under load has all that was accepted before it, twice, and a server starts on it", async () => {
  const receiver = await createReceiver(200);
  const { config } = createScene([destination([receiver.url])]);
  const server = await serve(config);
  const load = callers(server.url);
  for (const name of ["first.db", "second.db"]) {
    const wanted = load.answered.length + CALLS_BEFORE;
    await expect.poll(() => load.answered.length).toBeGreaterThan(wanted);
    const before = [...load.answered];
    const copy = join(tempFolder(), name);
    const backup = runProcess(["backup", "--config", config, "--to", copy]);
    expect(await backup.exit).toEqual({ code: 0, signal: null });
    expect(backup.out).toEqual([expect.stringMatching(/^copied \S+ to \S+: [\d,]+ bytes in [\d.]+ s, checked$/)]);
    expect(backup.err).toEqual([]);
    const other = await serve(restored(config, copy));
    const ids = await idsIn(other.url);
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    expect((await stats(other.url)).accepted).toBe(ids.size);
    expect(await other.end()).toMatchObject({ code: 0 });
  }
  await load.stop();
  expect(load.refused).toEqual([]);
  expect((await stats(server.url)).accepted).toBe(load.answered.length);
  expect(await server.end()).toMatchObject({ code: 0 });
  expect(readdirSync(join(config, "..")).sort()).toEqual(["postrider.db", "postrider.json"]);
});

it("a backup after a kill has all that was answered, and the killed server's file starts as before", async () => {
  const receiver = await createReceiver("silent");
  const { config } = createScene([destination([receiver.url])]);
  const server = await serve(config);
  const load = callers(server.url);
  await expect.poll(() => load.answered.length).toBeGreaterThan(CALLS_BEFORE);
  await load.stop();
  await server.kill();
  const copy = join(tempFolder(), "copy.db");
  expect((await runProcess(["backup", "--config", config, "--to", copy]).exit).code).toBe(0);
  for (const file of [config, restored(config, copy)]) {
    const again = await serve(file);
    expect((await idsIn(again.url)).size).toBe(load.answered.length);
    await again.kill();
  }
});

it("a signal ends a backup at once and leaves nothing of it", async () => {
  const { config } = createScene([destination(["http://127.0.0.1:9/"])]);
  await (await serve(config)).end();
  const database = new DatabaseSync(join(config, "../postrider.db"));
  database.exec("create table filler (bytes blob)");
  for (let nth = 0; nth < FILLER_MEGABYTES; nth += 1) database.exec("insert into filler values (randomblob(1000000))");
  database.close();
  const folder = join(tempFolder(), "copies");
  mkdirSync(folder);
  const backup = runProcess(["backup", "--config", config, "--to", join(folder, "copy.db")]);
  await expect.poll(() => readdirSync(folder).some((name) => name.endsWith(".partial"))).toBe(true);
  backup.signal("SIGINT");
  expect(await backup.exit).toEqual({ code: null, signal: "SIGINT" });
  expect(readdirSync(folder)).toEqual([]);
});
