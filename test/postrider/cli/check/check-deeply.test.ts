// `check --deep`: the store, the receivers and the clock, with real files, sockets and TLS.

import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { epochMs } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { openStores } from "@postrider/sqlite/file";
import { createSystemClock } from "@postrider/system";
import { answeringScript, startReceiver } from "@postrider/testkit/hostile-receivers";
import { expect, it, describe, onTestFinished } from "vitest";
import { checkClock } from "../../../../packages/postrider/src/cli/commands/check.js";
import { SECRET, TOKEN } from "../../../canary.js";
import { portForRestarts } from "../../../loopback.js";
import { BAD, GOOD_IDENTITY, TRUSTED_CA } from "../../../hostile/tls-cases.js";
import { configJson, tempFolder, writeConfig } from "../../config-file.js";
import { createTestHost, run } from "../../test-host.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";

const HERE = "127.0.0.1";
const clock = createSystemClock();

interface Row {
  readonly kind: string;
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly change?: string;
}

async function deep(changes: object, folder = tempFolder()) {
  const file = writeConfig(configJson({ apiToken: TOKEN, ...changes }), folder);
  const { code, out } = await run(["check", "--deep", "--json", "--config", file]);
  return { code, rows: out.map((line) => JSON.parse(line) as Row) };
}

function destinationTo(...urls: readonly string[]) {
  const endpoints = urls.map((url) => ({ url }));
  return { destinations: [{ id: "crm", sources: ["website"], endpoints, sharedSecret: SECRET }] };
}

async function receiverOf(script: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(script, clock);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** A port at which nothing listens. */
const closedPort = async (): Promise<string> => String(await portForRestarts());

describe("check --deep", () => {
  it("shakes hands with each receiver once, sends no request, and says what each fault needs", async () => {
    const good = await receiverOf({ ...answeringScript(204), tls: { identity: GOOD_IDENTITY } });
    const selfSigned = await receiverOf(BAD[0]!.script);
    const unknown = await receiverOf({ ...BAD[2]!.script });
    const plain = await receiverOf(answeringScript(204));
    const closed = await closedPort();
    const urls = [
      `https://${HERE}:${String(good.port)}/a`,
      `https://${HERE}:${String(selfSigned.port)}/`,
      `https://${HERE}:${String(unknown.port)}/`,
      `http://${HERE}:${String(plain.port)}/`,
      `http://${HERE}:${closed}/`,
    ];
    const again = { ...destinationTo(`https://${HERE}:${String(good.port)}/b`).destinations[0], id: "again" };
    const { code, rows } = await deep({
      destinations: [...destinationTo(...urls).destinations, again],
      network: { allow: ["127.0.0.0/8"], ca: [TRUSTED_CA] },
    });
    const found = rows.filter(({ path }) => path.startsWith("destinations")).map((row) => `${row.kind} ${row.code}`);
    expect(found).toEqual([
      "ok reachable",
      "fault self-signed",
      "fault certificate-issuer",
      "ok reachable",
      "fault connection-refused",
    ]);
    expect(rows.find((row) => row.code === "certificate-issuer")?.message).toContain('"ca": ["file:./authority.pem"]');
    expect(code).toBe(1);
    const receivers = [good, selfSigned, unknown, plain];
    expect(receivers.map((one) => one.connections())).toEqual([1, 1, 1, 1]);
    expect(receivers.map((one) => [one.bytesSeen(), one.requests.length])).toEqual(receivers.map(() => [0, 0]));
  });

  it("tells which address of a name is refused, and the line that allows it", async () => {
    const { code, rows } = await deep({
      ...destinationTo("http://localhost:9/hook"),
      network: { allow: ["10.0.0.0/8"] },
    });
    expect(rows.filter(({ path }) => path.startsWith("destinations"))).toEqual([
      {
        kind: "warning",
        code: "forbidden-address",
        path: "destinations[0].endpoints[0].url",
        message: "http://localhost:9/hook is not a public address, so no connection is made to it",
        change: 'if it is meant, write "network": { "allow": ["10.0.0.0/8", "127.0.0.0/8", "::1"] }',
      },
    ]);
    expect(code).toBe(0);
  });

  it("says where a name leads, and which of its addresses are left out", async () => {
    const good = await receiverOf(answeringScript(204));
    const urls = [`http://app.localhost:${String(good.port)}`, `http://app.localhost:${await closedPort()}`];
    const { rows } = await deep({ ...destinationTo(...urls), network: { allow: ["127.0.0.0/8"] } });
    const place = "leads to 127.0.0.1 (not to ::1, which network.allow does not have)";
    expect(rows.filter(({ path }) => path.startsWith("destinations")).map(({ message }) => message)).toEqual([
      `${urls[0]!} ${place}, and takes connections`,
      `${urls[1]!} ${place}: nothing listens there; start the receiver, or correct the port`,
    ]);
  });

  it("warns of no localhost of which one address is allowed", async () => {
    const to = destinationTo(`http://app.localhost:${await closedPort()}`);
    const { rows } = await deep({ ...to, network: { allow: ["::1"] } });
    expect(rows.map(({ code }) => code)).not.toContain("forbidden-address");
    expect(rows.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("leads to ::1 (not to 127.0.0.1, which network.allow does not have)"),
    );
  });

  it("says whether the store can be opened, and creates nothing", async () => {
    const folder = tempFolder();
    const store = "sqlite:./p.db";
    const found = async () =>
      (await deep({ store, destinations: [] }, folder)).rows.find(({ path }) => path === "store");
    expect(await found()).toMatchObject({ kind: "ok", code: "store-new" });
    expect(existsSync(join(folder, "p.db"))).toBe(false);
    const stores = await openStores(join(folder, "p.db"));
    expect(await found()).toMatchObject({ kind: "ok", code: "store-in-use" });
    await stores.close();
    expect(await found()).toMatchObject({ kind: "ok", code: "store-closed" });
    writeFileSync(join(folder, "p.db"), "no database");
    expect(await found()).toMatchObject({ kind: "fault", code: "corrupt" });
    expect((await deep({ store: "sqlite:./none/p.db" }, folder)).code).toBe(1);
  });

  it("shows a table, and the number of faults", async () => {
    const file = writeConfig(
      configJson({ apiToken: TOKEN, ...destinationTo(`http://${HERE}:${await closedPort()}/`) }),
    );
    const { code, out } = await run(["check", "--deep", "--config", file]);
    expect(code).toBe(1);
    expect(out).toContainEqual(expect.stringMatching(/^note {4}store {29}memory: loses everything at the end$/));
    expect(out).toContainEqual(
      expect.stringMatching(/^bad {5}destinations\[0\]\.endpoints\[0\]\.url {2}http:.* nothing listens/),
    );
    expect(out.at(-1)).toBe(`${file} is valid, with 1 fault`);
  });

  it("shows its progress on a terminal", async () => {
    const shown: string[] = [];
    const host = { ...createTestHost(), status: (line: string) => void shown.push(line) };
    const file = writeConfig(configJson(destinationTo(`http://${HERE}:${await closedPort()}/`)));
    await runProgram(host, ["check", "--deep", "--config", file]);
    expect(shown).toEqual([expect.stringContaining("probing receivers 1 of 1"), ""]);
  });
});

describe("the clock", () => {
  const at = (iso: string) => ({ clock: createManualClock({ wall: epochMs(Date.parse(iso)) }) });

  it("is wrong before 2026, and before the store was written", async () => {
    expect(await checkClock({ kind: "memory" }, at("2001-01-01T00:00:00Z"))).toMatchObject([
      { kind: "fault", code: "clock-wrong" },
    ]);
    const path = join(tempFolder(), "p.db");
    await (await openStores(path)).close();
    utimesSync(path, new Date("2030-01-02"), new Date("2030-01-02"));
    expect(await checkClock({ kind: "sqlite", path }, at("2030-01-01T00:00:00Z"))).toMatchObject([
      { kind: "fault", code: "clock-wrong", message: expect.stringContaining("2030-01-02T00:00:00.000Z") as string },
    ]);
  });

  it("is otherwise judged by the system, which may not know", async () => {
    const [found] = await checkClock({ kind: "memory" }, at("2030-01-01T00:00:00Z"));
    expect(["clock-synchronised", "clock-unknown", "clock-free"]).toContain(found?.code);
  });
});
