// Ids of users are sent in every way there is, and deleted; then every file and the log are searched for them, in all forms
// of an id. Needs `tsc -b` first.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../postrider/config-file.js";
import { formsOf, timesIn, timesInFiles } from "./id-forms.js";
import {
  createStand,
  type Echo,
  isAtRest,
  makeCalls,
  MESSAGE,
  replayDead,
  requestDeletion,
  shownTo,
  uploadMembers,
  whereInTables,
} from "./planted-ids.js";
import { ask } from "./scene.js";
import { serve, type ServerProcess } from "./server-process.js";

const DELETED = ["planted.8f3c+zoe@example.test", 'planted 41d7 "Zoë\\𝒵", /b'];
const SUPPRESSED = ["planted.c02e+max@example.test", 'planted 9b60 "Maß\\𝒵", /a'];
const PLANTED = [...DELETED, ...SUPPRESSED];

/** In hours, so short that finished deliveries are removed by the first sweep. */
const NO_RETENTION = { retention: { deliveredHours: 1e-6, deadHours: 1e-6 } };

async function untilFinished(url: string, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await expect.poll(() => ask(url, `deletions/${id}`)).toMatchObject({ finishedAt: expect.any(String) });
}

async function dead(url: string, destination: string): Promise<number> {
  const query = `deliveries?state=dead&destination=${destination}&limit=500`;
  return (await ask<{ deliveries: readonly object[] }>(url, query)).deliveries.length;
}

/** Where the server shows an id of a user, or beyond its latest calls that of a message. */
async function shownIds(server: ServerProcess, { bodies }: Echo): Promise<readonly string[]> {
  await expect.poll(() => bodies.map((one) => (JSON.parse(one) as { kind: string }).kind)).toContain("deaths");
  const { calls = "", ...shown } = await shownTo(server.url);
  const others: Readonly<Record<string, string>> = { ...shown, notifications: bodies.join("\n") };
  expect(calls).toContain(MESSAGE);
  expect(others["metrics"]).toMatch(/^postrider_audience_changes_total\{audience="vip",kind="entered"\} [1-9]/m);
  const log = [...server.out, ...server.err].join("\n");
  const shows = (text: string, id: string): boolean => timesIn(Buffer.from(text), id) > 0;
  const ofUsers = Object.entries({ calls, log, ...others }).filter(([, text]) => PLANTED.some((id) => shows(text, id)));
  const ofMessages = Object.entries({ log, ...others }).filter(([, text]) => shows(text, MESSAGE));
  return [...ofUsers, ...ofMessages].map(([where]) => where);
}

function timesInLog({ out, err }: ServerProcess, userId: string): number {
  return timesIn(Buffer.from([...out, ...err].join("\n")), userId);
}

/** The occurrences of all planted ids, by file. */
function foundIn(folder: string): Readonly<Record<string, unknown>> {
  const found = PLANTED.map((userId) => [userId, timesInFiles(folder, userId)] as const);
  return Object.fromEntries(found.filter(([, files]) => Object.keys(files).length > 0));
}

const IN_THE_LIST = Object.fromEntries(SUPPRESSED.map((userId) => [userId, { "postrider.db": 1 }]));

describe("a user who is deleted", () => {
  it("is only in delete messages, and nowhere once these are delivered and swept", async () => {
    const { config, folder, file, failing, refusing, hook, open, rewrite } = await createStand();
    let server = await serve(config);
    const { url } = server;
    for (const userId of PLANTED) await makeCalls(url, userId);
    await uploadMembers(url, PLANTED);
    await expect.poll(() => dead(url, "refusing")).toBe(9 * PLANTED.length);
    expect(await replayDead(url)).toBeGreaterThan(0);
    rewrite({ delivery: { timeoutMs: 9_000, firstRetryMs: 100, maxRetryMs: 200, leaseMs: 15_000 } });
    server.signal("SIGHUP");
    await expect.poll(() => server.log().map(({ code }) => code)).toContain("configured");
    for (const userId of PLANTED) expect(whereInTables(file, userId).beyond).toContain("message");

    expect(await shownIds(server, hook)).toEqual([]);

    const ids = [
      await requestDeletion(url, DELETED, "delete-only"),
      await requestDeletion(url, SUPPRESSED, "suppress-with-delete"),
    ];
    await untilFinished(url, ids);
    for (const userId of SUPPRESSED) await makeCalls(url, userId);
    for (const userId of PLANTED) expect(whereInTables(file, userId).beyond).toEqual([]);

    expect(await shownIds(server, hook)).toEqual([]);

    failing.behave(200);
    refusing.behave(200);
    rewrite(open());
    server.signal("SIGHUP");
    await expect.poll(() => isAtRest(url)).toBe(true);
    await server.end();
    const copies = PLANTED.map((userId) => [userId, { "postrider.db": whereInTables(file, userId).rows }]);
    expect(foundIn(folder)).toEqual(Object.fromEntries(copies));

    rewrite({ ...open(), ...NO_RETENTION });
    server = await serve(config);
    await expect.poll(() => foundIn(folder)).toEqual(IN_THE_LIST);
    await server.end();
    expect(foundIn(folder)).toEqual(IN_THE_LIST);
    expect(PLANTED.filter((userId) => timesInLog(server, userId) > 0)).toEqual([]);
  });
});

describe("the search for an id", () => {
  it.each(PLANTED)("finds %s in each of its forms, in any file", (userId) => {
    const folder = tempFolder();
    expect(timesInFiles(folder, userId)).toEqual({});
    for (const [index, form] of formsOf(userId).entries()) {
      writeFileSync(join(folder, String(index)), Buffer.concat([Buffer.from("before "), form, Buffer.from(" after")]));
    }
    expect(Object.keys(timesInFiles(folder, userId))).toHaveLength(formsOf(userId).length);
  });
});
