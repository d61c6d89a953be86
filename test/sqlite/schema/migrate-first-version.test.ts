// A file of the first version gets its checksums, all of them or none, at whatever point its migration is killed.

import { copyFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { changes, CRM, LEASE, message, NOW } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";
import { firstVersionFile } from "./first-version.js";
import { runProgram } from "../run-program.js";

/** Slightly more than two pages of rows, so that several pages are read. */
const DELIVERIES = 1_001;
const MAX_STATEMENTS = 200;

async function claimedBodies(file: string, limit: number): Promise<readonly string[]> {
  const store = openStore(file);
  const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit }] }, NOW);
  await store.close();
  return deliveries.map(({ id, body }) => `${id} ${new TextDecoder().decode(body)}`);
}

function bodiesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${String(index + 1)} {"messageId":"${String(index)}"}`);
}

/** The version of the file, the number of its checksum columns, and whether it is sound. */
function lookAt(file: string): string {
  const database = openFile(file);
  const row = database.prepare(LOOK).get() as { readonly look: string };
  database.close();
  return row.look;
}

const LOOK = `select 'version ' || user_version || ', ' ||
    (select count(*) from pragma_table_info('delivery') where name = 'checksum') || ' columns, ' || integrity_check as look
  from pragma_user_version, pragma_integrity_check`;

describe("a file of the first version", () => {
  it("is migrated to the newest, with its waiting deliveries, and accepts more", async () => {
    const file = await firstVersionFile(DELIVERIES);
    const store = openStore(file);
    await store.commit(changes({ accept: [message(String(DELIVERIES))] }), NOW);
    await store.close();
    expect(await claimedBodies(file, 9_999)).toEqual(bodiesOf(DELIVERIES + 1));
  });

  it("has checksums from then on that detect changes", async () => {
    const file = await firstVersionFile(3);
    await openStore(file).close();
    const database = openFile(file);
    database.exec("update message set body = cast('x' as blob) where id = 3");
    database.close();
    await expect(claimedBodies(file, 9)).rejects.toMatchObject({ code: "corrupt" });
  });

  it("whose migration is killed before any of its statements is whole, of the old version or of a newer one", async () => {
    const original = await firstVersionFile(5);
    const looks: string[] = [];
    for (let statement = 1; statement <= MAX_STATEMENTS; statement += 1) {
      const file = newFile();
      copyFileSync(original, file);
      const ended = await runProgram("migrate", [file, String(statement)]).ended.catch(() => []);
      looks.push(lookAt(file));
      expect(await claimedBodies(file, 9)).toEqual(bodiesOf(5));
      if (ended.length > 0) break;
    }
    const later = SCHEMA_STEPS.slice(1).map((_, step) => `version ${String(step + 2)}, 1 columns, ok`);
    expect(new Set(looks)).toEqual(new Set(["version 1, 0 columns, ok", ...later]));
    expect(looks.length).toBeLessThan(MAX_STATEMENTS);
  });
});
