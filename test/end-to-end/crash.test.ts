import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import { tempFolder } from "../postrider/config-file.js";
import { createReceiver, until } from "./receiver.js";
import { createScene, destination, settled, SHORT_LEASE, stats, track } from "./scene.js";
import { runProcess, serve, type ServerProcess } from "./server-process.js";

const CALLS = 1000;
const CALLERS = 8;
const KILLS_AT = [150, 500, 850];

/** The records of the callers: which calls are still to be made, and which were answered 200. */
interface Ledger {
  readonly left: string[];
  readonly safe: Set<string>;
}

/** Makes calls until none is left or the server has ended; a call without an answer will be made again. */
async function call(url: string, { left, safe }: Ledger): Promise<void> {
  for (let messageId = left.shift(); messageId !== undefined; messageId = left.shift()) {
    const status = await track(url, { messageId }).catch(() => undefined);
    if (status === 200) safe.add(messageId);
    else left.push(messageId);
    if (status === undefined) return;
  }
}

async function callUntilKilled(server: ServerProcess, ledger: Ledger, safeWanted: number): Promise<void> {
  const callers = Array.from({ length: CALLERS }, () => call(server.url, ledger));
  await until(() => ledger.safe.size >= safeWanted, `${safeWanted} answers`);
  await server.kill();
  await Promise.all(callers);
}

describe("kill -9 in the middle of a thousand calls", () => {
  it("loses no call that was answered 200", async () => {
    const receiver = await createReceiver(200);
    const { config } = createScene([destination([receiver.url])], SHORT_LEASE);
    const ledger: Ledger = { left: Array.from({ length: CALLS }, (_, index) => `m${index}`), safe: new Set() };
    for (const safeWanted of KILLS_AT) await callUntilKilled(await serve(config), ledger, safeWanted);
    expect(ledger.safe.size).toBeLessThan(CALLS);

    const server = await serve(config);
    await Promise.all(Array.from({ length: CALLERS }, () => call(server.url, ledger)));
    expect(ledger.safe.size).toBe(CALLS);
    const arrived = () => new Set(receiver.requests.map(({ message }) => message["messageId"]));
    await until(() => arrived().size === CALLS, "arrival of all");
    await expect.poll(() => stats(server.url)).toMatchObject({ waiting: 0, claimed: 0 });
    expect(await stats(server.url)).toMatchObject({ accepted: CALLS, delivered: CALLS, dead: 0 });

    // Only deliveries under way at a kill are sent again: at most one per slot of the lane each time.
    const repeated = receiver.requests.length - CALLS;
    console.log(`${CALLS} calls, ${KILLS_AT.length} kills: all arrived, ${repeated} of them twice`);
    expect(repeated).toBeLessThanOrEqual(KILLS_AT.length * 32);
  });
});

describe("kill -9 between a request and the record of its end", () => {
  it("sends the message again, and says how often it may have been sent, and which process did not record it", async () => {
    const receiver = await createReceiver("silent");
    const { config } = createScene([destination([receiver.url])], SHORT_LEASE);
    const killed = await serve(config);
    await track(killed.url);
    await receiver.count(1);
    await killed.kill();
    receiver.behave(200);
    const server = await serve(config);
    const { id, attempts, lapses } = await settled(server.url, "delivered");
    expect([receiver.requests.length, attempts.length]).toEqual([2, 1]);
    const [process, takenBy] = [processOf(killed), processOf(server)];
    expect(process).not.toBe(takenBy);
    expect(lapses).toMatchObject({ count: 1, process, takenBy });
    const said = new RegExp(
      `One round may have been sent without a record: process ${process} .* Process ${takenBy} claimed it again`,
    );
    for (const command of ["show", "explain"]) {
      const words = [command, id, "--url", server.url, "--token", TOKEN];
      const program = runProcess(words);
      await program.exit;
      expect(program.out.join("\n")).toMatch(said);
    }
    await server.end();
  });
});

/** The process that a server is in its store, as its log says. */
function processOf(server: ServerProcess): string | undefined {
  return server.log().find(({ code }) => code === "listening")?.process;
}

const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
if (!canTrace) console.warn("SKIPPED: strace is missing, so fsyncs are not counted");

describe.skipIf(!canTrace)("calls that are made one after the other", () => {
  it("are each on the disk before they are answered", async () => {
    const log = join(tempFolder(), "strace.log");
    // Paused, so that nothing but the calls is written.
    const { config } = createScene([destination(["http://127.0.0.1:9/"], { paused: true })]);
    const command = ["strace", "-D", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", log];
    const server = await serve(config, { command });
    const syncs = () => readFileSync(log, "utf8").match(/ (fsync|fdatasync)\(/g)?.length ?? 0;
    const before = syncs();
    for (let made = 1; made <= 50; made += 1) {
      expect(await track(server.url)).toBe(200);
      expect(syncs() - before).toBeGreaterThanOrEqual(made);
    }
    console.log(`50 calls one after the other: ${syncs() - before} fsyncs`);
    await server.end();
  });
});
