// Two users at a real server: every route by which an id may arrive, receivers that answer with the body that they got, and
// the commands of an operator meanwhile.

import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openDatabase } from "../../packages/sqlite/src/file-store/open-database.js";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { close, listen } from "../loopback.js";
import { type ConfigJson, tempFolder, writeConfig } from "../postrider/config-file.js";
import { timesIn } from "./id-forms.js";
import { ask } from "./scene.js";

export const STAYS = "bystander-5c1e";
/** Another id of the same person, which no request names. */
const ALIAS = "visitor-77aa";
/** How the ids of messages begin. */
export const MESSAGE = "message.6d2f";
let messages = 0;

export interface Echo {
  readonly url: string;
  /** The bodies that it got. */
  readonly bodies: readonly string[];
  behave(status: number): void;
}

/** A receiver that answers with the body that it got. */
export async function createEcho(first: number): Promise<Echo> {
  let status = first;
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(status).end(Buffer.concat(chunks));
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}/hook`, bodies, behave: (next) => void (status = next) };
}

export interface Stand {
  readonly config: string;
  readonly folder: string;
  readonly file: string;
  readonly failing: Echo;
  readonly refusing: Echo;
  /** Is told of trouble. */
  readonly hook: Echo;
  /** Resumes all paused destinations. */
  readonly open: () => ConfigJson;
  /** Writes the config again. */
  readonly rewrite: (changes: ConfigJson) => void;
}

export async function createStand(): Promise<Stand> {
  const [good, failing, refusing] = [await createEcho(200), await createEcho(500), await createEcho(422)];
  const hook = await createEcho(200);
  const destination = (id: string, url: string, paused = false) => ({
    id,
    sources: ["website"],
    endpoints: [{ url }],
    paused,
  });
  const destinations = (paused: boolean) => [
    destination("good", good.url),
    destination("failing", failing.url),
    destination("refusing", refusing.url),
    destination("paused", good.url, paused),
  ];
  const folder = tempFolder();
  const write = (changes: ConfigJson): string =>
    writeConfig(
      {
        listen: { host: "127.0.0.1", port: 0 },
        store: "sqlite:./postrider.db",
        apiToken: TOKEN,
        sources: [{ id: "website", writeKey: WRITE_KEY }],
        destinations: destinations(true),
        delivery: { timeoutMs: 10_000, retryWindowMs: 600_000, firstRetryMs: 100, maxRetryMs: 300, leaseMs: 15_000 },
        network: { allow: ["127.0.0.0/8"] },
        notify: [{ url: hook.url }],
        ...changes,
      },
      folder,
    );
  const config = write({});
  const file = join(dirname(config), "postrider.db");
  const open = (): ConfigJson => ({ destinations: destinations(false) });
  return { config, folder, file, failing, refusing, hook, open, rewrite: (changes) => void write(changes) };
}

type Fields = Readonly<Record<string, unknown>>;

/** Calls that are accepted, and calls that are refused for each reason. */
export async function makeCalls(url: string, userId: string): Promise<void> {
  const said = { email: userId, note: `about ${userId}` };
  const batch: readonly Fields[] = [
    { type: "identify", userId, traits: said, context: { traits: said } },
    { type: "track", userId, event: "Bought", properties: said, messageId: `${MESSAGE}-${String((messages += 1))}` },
    {
      type: "page",
      userId,
      name: userId,
      properties: { url: `https://shop.test/?user=${encodeURIComponent(userId)}` },
    },
    { type: "screen", userId, name: "Home" },
    { type: "group", userId, groupId: "g1", traits: said },
    { type: "alias", userId, previousId: ALIAS },
    { type: "alias", userId: ALIAS, previousId: userId },
    { type: "track", userId: STAYS, event: "Bought" },
  ];
  expect(await call(url, "/v1/batch", { writeKey: WRITE_KEY, batch, context: { ip: "10.1.1.1" } })).toBe(200);
  expect(await call(url, "/v1/identify", { writeKey: WRITE_KEY, userId, traits: said })).toBe(200);
  expect(await call(url, "/v1/track", { writeKey: WRITE_KEY, userId })).toBe(400);
  expect(await call(url, "/v1/batch", { writeKey: WRITE_KEY, batch: [{ type: userId, userId }] })).toBe(200);
  expect(await call(url, "/v1/track", `{"userId":${JSON.stringify(userId)}`)).toBe(400);
  expect(await call(url, "/v1/track", { writeKey: userId, userId, event: "Bought" })).toBe(401);
  expect(await call(url, `/v1/${encodeURIComponent(userId)}`, {})).toBe(404);
}

/** Lists of members with the users, and invalid lists. */
export async function uploadMembers(url: string, userIds: readonly string[]): Promise<void> {
  const destinations = ["good", "failing", "paused"];
  await api(url, "audiences", { name: "VIP", destinations });
  await api(url, "audiences", { name: "Worth", kind: "trait", destinations });
  const lines = [...userIds, STAYS].map((userId) => JSON.stringify(userId)).join("\n");
  expect(await upload(url, "vip", lines)).toBe(202);
  await expect.poll(() => ask(url, "audiences/vip")).toMatchObject({ running: null });
  const values = [...userIds, STAYS].map((userId) => JSON.stringify({ userId, value: { of: userId } })).join("\n");
  expect(await upload(url, "worth", values)).toBe(202);
  await expect.poll(() => ask(url, "audiences/worth")).toMatchObject({ running: null });
  for (const userId of userIds) {
    const quoted = `"${userId.replaceAll('"', '""')}"`;
    expect(await upload(url, "vip", `${quoted}\n`, "text/csv")).toBe(400);
    expect(await upload(url, "vip", `{"user":${JSON.stringify(userId)}}`)).toBe(400);
  }
}

/** Replays dead deliveries, as an operator would. Returns how many there were. */
export async function replayDead(url: string): Promise<number> {
  const page = await ask<{ deliveries: readonly { readonly id: string }[] }>(url, "deliveries?state=dead&limit=500");
  const [first] = page.deliveries;
  await api(url, `deliveries/${first?.id ?? ""}/replay`);
  await api(url, "replay", { destination: "refusing" });
  return page.deliveries.length;
}

/** The id of the request. */
export async function requestDeletion(url: string, userIds: readonly string[], regulation: string): Promise<string> {
  return (await api<{ readonly id: string }>(url, "deletions", { userIds, regulation })).id;
}

/** What is shown of the running server to those who look after it, by where. */
export async function shownTo(url: string): Promise<Readonly<Record<string, string>>> {
  const read = async (path: string, accept = "*/*"): Promise<string> => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, accept } });
    expect(response.status).toBe(200);
    return response.text();
  };
  return {
    metrics: await read("/metrics"),
    openMetrics: await read("/metrics", "application/openmetrics-text;version=1.0.0"),
    lanes: await read("/api/lanes"),
    calls: await read("/api/calls"),
  };
}

export async function isAtRest(url: string): Promise<boolean> {
  const { waiting, claimed } = await ask<{ waiting: number; claimed: number }>(url, "stats");
  return waiting + claimed === 0;
}

async function call(url: string, path: string, body: Fields | string): Promise<number> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (await fetch(`${url}${path}`, { method: "POST", body: text })).status;
}

async function api<T>(url: string, path: string, body?: Fields): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const init = { method: "POST", headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}/api/${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${text}`);
  return JSON.parse(text) as T;
}

async function upload(url: string, key: string, body: string, type = "application/x-ndjson"): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": type };
  return (await fetch(`${url}/api/audiences/${key}/sync`, { method: "POST", headers, body })).status;
}

interface Named {
  readonly name: string;
}

const NOTICES = "select id from message where type = 'delete'";
const OF_NOTICES = `select id from delivery where message in (${NOTICES})`;
/** Where an id may be before its delete messages are delivered: in these messages, and in the answers to them. */
const ALLOWED: Readonly<Record<string, string>> = {
  message: `id in (${NOTICES})`,
  excerpt: `delivery in (${OF_NOTICES})`,
  suppressed: "true",
};

/** The other tables that contain an id, and the number of rows that may contain it. */
export function whereInTables(
  file: string,
  userId: string,
): { readonly beyond: readonly string[]; readonly rows: number } {
  const database = openDatabase(file);
  const holds = (row: unknown): boolean =>
    Object.values(row as object).some((value) => timesIn(bytesOf(value), userId) > 0);
  const rowsIn = (table: string, condition: string): number =>
    database.prepare(`select * from "${table}" where ${condition}`).all().filter(holds).length;
  const tables = (database.prepare("select name from sqlite_master where type = 'table'").all() as Named[]).map(
    ({ name }) => name,
  );
  const beyond = tables.filter((table) => {
    const allowed = ALLOWED[table];
    return rowsIn(table, allowed === undefined ? "true" : `not (${allowed})`) > 0;
  });
  const rows = Object.entries(ALLOWED).reduce((sum, [table, condition]) => sum + rowsIn(table, condition), 0);
  database.close();
  return { beyond, rows };
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}
