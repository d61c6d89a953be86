// The package as a host uses it: stores for a relay, a callback for their failure, and closing. The thread runs the built
// package: `tsc -b` first.

import { decodeWorkspace } from "@postrider/relay/settings";
import type { Clock, StoreError, Workspace } from "@postrider/core";
import { createScriptedHttp, createSeededRandom, type ScriptedHttp } from "@postrider/memory";
import { createRelay, type Relay } from "@postrider/relay";
import { openStores, type OpenStoresOptions, type Stores } from "@postrider/sqlite/file";
import { createSystemClock } from "@postrider/system";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { tempFolder } from "../postrider/config-file.js";

const RECEIVER = "https://receiver.test/hook";

interface Host {
  readonly relay: Relay;
  readonly http: ScriptedHttp;
}

/** A relay on the stores; its receiver accepts everything. */
function hostOn({ store, audiences }: Stores): Host {
  const clock: Clock = createSystemClock();
  const http = createScriptedHttp({ clock, script: { [RECEIVER]: { kind: "answers", status: 200 } } });
  const ports = { store, audiences, http, clock, random: createSeededRandom(7) };
  const relay = createRelay({ workspace: workspace(), ...ports });
  onTestFinished(() => relay.stop());
  return { relay, http };
}

function workspace(): Workspace {
  const decoded = decodeWorkspace({
    sources: [{ id: "web", writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: ["web"], endpoints: [{ url: RECEIVER }] }],
  });
  if (decoded.kind === "refused") throw new Error(JSON.stringify(decoded.problems));
  return decoded.value;
}

async function accept({ relay }: Host, messageId: string): Promise<string | undefined> {
  const calls = [{ type: "track", userId: "u1", event: "Signed Up", messageId }];
  const receipts = await relay.accept({ source: workspace().sources[0]!.id, calls });
  return receipts._unsafeUnwrap()[0]?.kind;
}

function newFile(): string {
  return join(tempFolder(), "p.db");
}

/**
 * Stores opened on a file, abandoned at the end of the test if they are still open. `failures` are those reported to the
 * host.
 */
async function opened(file: string, options: OpenStoresOptions = {}) {
  const failures: StoreError[] = [];
  const stores = await openStores(file, { onFailure: (error) => failures.push(error), ...options });
  onTestFinished(() => stores.abandon());
  return { stores, failures };
}

/** Stores with the thread that was started for them. */
async function openedWithThread(file: string) {
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on("worker", note);
  const { stores, failures } = await opened(file).finally(() => process.off("worker", note));
  return { stores, failures, thread: threads[0]! };
}

describe("stores that a host opens on a file", () => {
  it("keep what a relay has accepted until it is delivered by another one, after they were closed and opened again", async () => {
    const file = newFile();
    const first = await opened(file);
    expect(await accept(hostOn(first.stores), "m1")).toBe("accepted");
    await first.stores.close();
    expect(readdirSync(join(file, ".."))).toEqual(["p.db"]);

    const second = await opened(file);
    const host = hostOn(second.stores);
    expect(await accept(host, "m1")).toBe("duplicate");
    host.relay.start();
    await expect.poll(() => host.http.requests().length).toBeGreaterThan(0);
    expect(JSON.parse(Buffer.from(host.http.requests()[0]!.body).toString())).toMatchObject({ messageId: "m1" });
    await host.relay.stop();
    await second.stores.close();
    expect([...first.failures, ...second.failures]).toEqual([]);
  });

  it("share the file with others that are opened on it, and stay open when those are closed", async () => {
    const file = newFile();
    const [one, other] = [await opened(file), await opened(file)];
    await accept(hostOn(one.stores), "m1");
    expect(await accept(hostOn(other.stores), "m1")).toBe("duplicate");
    await one.stores.close();
    expect(await accept(hostOn(other.stores), "m2")).toBe("accepted");
    await other.stores.close();
    expect((await (await opened(file)).stores.store.counts())[0]?.accepted).toBe(2);
    expect([...one.failures, ...other.failures]).toEqual([]);
  });

  it("remember as many message ids as the host says", async () => {
    const { stores } = await opened(newFile(), { maxMessageIds: 0 });
    const host = hostOn(stores);
    expect([await accept(host, "m1"), await accept(host, "m1")]).toEqual(["accepted", "accepted"]);
  });

  it("close at every call of it, and once", async () => {
    const { stores, failures } = await opened(newFile());
    await Promise.all([stores.close(), stores.close()]);
    await stores.close();
    await expect(stores.store.counts()).rejects.toMatchObject({ code: "unavailable" });
    await expect(stores.audiences.sets("")).rejects.toMatchObject({ code: "unavailable" });
    expect(failures).toEqual([]);
  });

  it("can be abandoned, which is no failure and leaves the file as a crash does", async () => {
    const file = newFile();
    const { stores, failures } = await opened(file);
    await accept(hostOn(stores), "m1");
    await stores.abandon();
    expect(failures).toEqual([]);
    expect([existsSync(`${file}-open`), existsSync(`${file}-wal`)]).toEqual([true, true]);
    expect(await accept(hostOn((await opened(file)).stores), "m1")).toBe("duplicate");
  });
});

describe("stores that are abandoned while their thread works", () => {
  it("do not take their process along", () => {
    const ran = spawnSync(process.execPath, [ABANDONING, tempFolder(), "20"], { encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  });

  it("are gone once, however often they are abandoned", async () => {
    const { stores, thread } = await openedWithThread(newFile());
    const onExit = vi.fn();
    thread.on("exit", onExit);
    await Promise.all([stores.abandon(), stores.abandon()]);
    await stores.abandon();
    expect(onExit).toHaveBeenCalledOnce();
  });
});

describe("a host is told once", () => {
  it("that the thread of the stores has died, and can open the file again", async () => {
    const file = newFile();
    const { stores, failures, thread } = await openedWithThread(file);
    await accept(hostOn(stores), "m1");
    await thread.terminate();
    await expect(stores.store.counts()).rejects.toMatchObject({ code: "unavailable" });
    expect(failures).toMatchObject([{ code: "unavailable", message: "the store's thread has ended" }]);
    await stores.close();
    const again = await opened(file);
    expect(await accept(hostOn(again.stores), "m1")).toBe("duplicate");
    await again.stores.close();
    expect(readdirSync(join(file, "..")).filter((name) => name.endsWith("-open"))).toEqual([]);
  });

  it("that the log was cut short, whatever fails after that", async () => {
    const file = newFile();
    const { stores, failures, thread } = await openedWithThread(file);
    const host = hostOn(stores);
    await accept(host, "m1");
    truncateSync(`${file}-wal`, 0);
    const calls = [{ type: "track", userId: "u1", event: "Signed Up" }];
    const answer = await host.relay.accept({ source: workspace().sources[0]!.id, calls });
    expect(answer._unsafeUnwrapErr()).toEqual({ code: "corrupt" });
    await expect(stores.store.counts()).rejects.toMatchObject({ code: "corrupt" });
    await thread.terminate();
    expect(failures).toMatchObject([{ code: "corrupt", message: expect.stringContaining("cut short") as string }]);
  });
});

describe("a warning of Node in the thread", () => {
  it.each([
    ["goes to the host that asked for it", "asked", "told DiskWarning: the disk is old\n"],
    ["is one of the process otherwise", "not", "process DiskWarning: the disk is old\n"],
  ])("%s", (_, isAsked, printed) => {
    const preload = join(tempFolder(), "preload.cjs");
    writeFileSync(preload, WARNS_ONCE_IT_IS_HEARD);
    const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
    const ran = spawnSync(process.execPath, [WARNED, newFile(), isAsked], { encoding: "utf8", env });
    expect(ran).toMatchObject({ status: 0, stdout: printed, stderr: "" });
  });
});

/** Programs that run the built package. */
const ABANDONING = fileURLToPath(new URL("programs/abandoning.js", import.meta.url));
const WARNED = fileURLToPath(new URL("programs/warned.js", import.meta.url));
const WARNS_ONCE_IT_IS_HEARD = `
  process.on("newListener", (name) => {
    if (name !== "warning" || require("node:worker_threads").isMainThread) return;
    process.emitWarning("the disk is old", "DiskWarning");
  });
`;
