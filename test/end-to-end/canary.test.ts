// Plants canaries as secrets, write keys, API token and values of headers, uses them in every way, and then searches for
// them in everything that is written, answered, shown or thrown. Needs `tsc -b` first.

import { verifySignature } from "@postrider/core";
import { createRelay } from "@postrider/relay";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../packages/sqlite/src/file-store/open-database.js";
import { readConfig } from "../../packages/postrider/src/config/read-config.js";
import { createSelfSignedCertificate } from "../../packages/testkit/src/contracts/http/certificates.js";
import { MARK, SECRET, TOKEN, WRITE_KEY } from "../canary.js";
import { createMemoryPorts } from "../memory-ports.js";
import { type ConfigJson, writeConfig } from "../postrider/config-file.js";
import { configOf, serverOf } from "../postrider/server.js";
import { BROKEN, destination, HEADER, makeCalls, planted, QUERY, useApi, useCommands } from "./canaries.js";
import { createReceiver, type Receiver, until } from "./receiver.js";
import { runProcess, serve, type ServerProcess } from "./server-process.js";

/** The texts that no answer, no message and no line of the log may contain. */
const HIDDEN = [MARK, HEADER, QUERY];

/** Every value of every table, as text. */
function valuesIn(file: string): readonly string[] {
  const database = openDatabase(file);
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
  const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all() as object[]);
  const values = rows.flatMap((row) => Object.values(row) as unknown[]);
  return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)));
}

interface Unfinished {
  readonly waiting: number;
  readonly claimed: number;
}

async function unfinished(url: string): Promise<Unfinished> {
  const response = await fetch(`${url}/api/stats`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return (await response.json()) as Unfinished;
}

async function untilAtRest({ url }: ServerProcess): Promise<void> {
  const left = async (): Promise<number> => (await unfinished(url)).waiting + (await unfinished(url)).claimed;
  await expect.poll(left).toBe(0);
}

/** If the lane is held by now, each replay of a failed delivery waits for a probe. */
async function untilQuiet({ url }: ServerProcess): Promise<void> {
  await expect.poll(async () => (await unfinished(url)).claimed).toBe(0);
}

/** Receivers of every kind, each with a separate destination. */
async function receivers(): Promise<{ readonly good: Receiver; readonly destinations: readonly object[] }> {
  const [good, refusing, failing, silent, selfSigned] = await Promise.all([
    createReceiver(200),
    createReceiver(422),
    createReceiver(503),
    createReceiver("silent"),
    createReceiver(200, { tls: createSelfSignedCertificate({ hosts: ["127.0.0.1"] }) }),
  ]);
  const destinations = [
    destination("good", good.url, failing.url),
    destination("refusing", refusing.url),
    destination("failing", failing.url, silent.url),
    destination("self-signed", selfSigned.url),
    destination("forbidden", "http://10.0.0.1"),
    destination("closed", "http://127.0.0.1:9"),
  ];
  return { good, destinations };
}

describe("a secret", () => {
  it("is in no answer, no line of the log, no output of a command, and no part of the file", async () => {
    const { good, destinations } = await receivers();
    const config = writeConfig(planted(destinations));
    const server = await serve(config);
    const answers = [...(await makeCalls(server.url))];
    await untilAtRest(server);
    answers.push(...(await useApi(server.url)), ...(await useCommands(server.url)));
    await untilQuiet(server);

    writeFileSync(config, JSON.stringify(BROKEN));
    server.signal("SIGHUP");
    await until(() => server.log().some(({ code }) => code === "config-refused"), "refusal");
    await server.end();

    // All canaries were in use.
    const { headers, body } = good.requests[0]!;
    expect(headers["authorization"]).toBe(`Bearer ${HEADER}`);
    expect(verifySignature(SECRET, body, String(headers["x-signature"]))).toBe(true);
    expect(answers.filter((answer) => answer.startsWith("200"))).not.toHaveLength(0);
    expect(answers.filter((answer) => answer.startsWith("202"))).not.toHaveLength(0);
    expect(server.log().map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        "forbidden-address",
        "bad-status",
        "timeout",
        "self-signed",
        "connection-refused",
        "dead-refused",
        "dead-expired",
        "config-refused",
      ]),
    );

    const written = [...server.out, ...server.err, ...answers];
    expect(written.filter((text) => HIDDEN.some((hidden) => text.includes(hidden)))).toEqual([]);
    expect(good.requests.filter((request) => HIDDEN.some((hidden) => request.body.includes(hidden)))).toEqual([]);
    const folder = dirname(config);
    const files = readdirSync(folder).filter((name) => name.startsWith("postrider.db"));
    expect(files).toContain("postrider.db");
    expect(files.filter((name) => readFileSync(join(folder, name)).includes(MARK))).toEqual([]);
    const values = valuesIn(join(folder, "postrider.db"));
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter((value) => value.includes(MARK))).toEqual([]);
  });

  it("is not shown by any object that contains it", async () => {
    const json = planted([destination("crm", "http://127.0.0.1:9")]);
    const config = configOf(json);
    const relay = createRelay({ ...createMemoryPorts(), workspace: config.workspace });
    const { server } = await serverOf(json);
    for (const holder of [config, relay, relay.workspace(), server, server.config()]) {
      const shown = [inspect(holder, { depth: Infinity, showHidden: true, getters: true }), JSON.stringify(holder)];
      expect(shown.filter((text) => text.includes(MARK) || text.includes(HEADER))).toEqual([]);
    }
  });

  it("is in no problem and in no error", async () => {
    const told: unknown[] = [];
    const read = (content: ConfigJson | string): unknown => readConfig(writeConfig(content), () => undefined);
    told.push(read(BROKEN), read(`{"apiToken":"${TOKEN}"`), read({ ...BROKEN, apiToken: `env:${MARK}` }));

    const check = runProcess(["check", "--config", writeConfig(BROKEN)]);
    expect((await check.exit).code).toBe(2);
    told.push(check.out, check.err);
    const { workspace } = configOf(planted([destination("crm", "http://127.0.0.1:9")]));
    const broken = {
      ...workspace,
      destinations: workspace.destinations.map((one) => ({ ...one, sources: [], endpoints: [] })),
    };
    const ports = createMemoryPorts();
    told.push(thrownBy(() => createRelay({ ...ports, workspace: broken })));
    const relay = createRelay({ ...ports, workspace });
    told.push(relay.configure(broken));
    await relay.stop();
    told.push(await relay.accept({ source: workspace.sources[0]!.id, calls: [{ writeKey: WRITE_KEY }] }));

    const shown = told.map((one) => inspect(one, { depth: Infinity, showHidden: true }));
    expect(shown.filter((text) => text.includes(MARK) || text.includes(HEADER))).toEqual([]);
    expect(shown.join().length).toBeGreaterThan(2_000);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
