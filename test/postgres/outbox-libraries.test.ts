// Runs what docs/guides/outbox.md shows for each library by which hosts write: one transaction that is committed, and one whose commit
// fails after the call was written.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { SECRET, WRITE_KEY } from "../canary.js";
import { createReceiver } from "../end-to-end/receiver.js";
import { programsIn } from "../house/markdown.js";
import { ROOT } from "../house/packages.js";
import { tempFolder } from "../postrider/config-file.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const GUIDE = programsIn("docs/guides/outbox.md", "js");

/** How each library opens a database; each exports how it is closed. */
const DATABASES: Readonly<Record<string, string>> = {
  pg: `export const close = () => pool.end();`,
  kysely: `import { Kysely, PostgresDialect } from "kysely";
    export const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    export const close = () => db.destroy();`,
  knex: `import knex from "knex";
    export const db = knex({ client: "pg", connection: process.env.DATABASE_URL });
    export const close = async () => { await db.destroy(); await pool.end(); };`,
  drizzle: `import { drizzle } from "drizzle-orm/node-postgres";
    export const db = drizzle(pool);
    export const close = () => pool.end();`,
};

for (const installed of installedServers().slice(0, 1)) {
  describe(`a transaction of a host on ${installed.name}`, () => {
    const { newDatabase } = startForSuite(installed);

    it.each(Object.keys(DATABASES))("by %s delivers its call if and only if it is committed", async (library) => {
      const receiver = await createReceiver(200);
      const folder = writeHost(library);
      Object.assign(process.env, {
        ...{ DATABASE_URL: await newDatabase(), WRITE_KEY },
        ...{ CRM_URL: receiver.url, CRM_SECRET: SECRET },
      });
      const load = (file: string): Promise<Host> => import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);
      const { placeOrder } = await load(`with-${library}.js`);
      const { postrider } = await load("postrider.js");
      const { close, pool: hosts } = await load("database.js");
      try {
        await hosts.query(TABLE);
        await placeOrder("kept");
        await expect(placeOrder("refused")).rejects.toThrow();
        await placeOrder("last");
        await receiver.count(2);
        expect(receiver.requests.map(({ message }) => message["messageId"]).sort()).toEqual(["kept", "last"]);
        const { rows } = await hosts.query("select id from orders order by id");
        expect(rows).toEqual([{ id: "kept" }, { id: "last" }]);
      } finally {
        await postrider.close();
        await close();
      }
    });
  });
}

/** A table whose order `refused` fails at the end of its transaction. */
const TABLE = `
  create table orders (id text primary key);
  create function refuse() returns trigger language plpgsql as
    $$ begin if new.id = 'refused' then raise 'refused at commit'; end if; return null; end $$;
  create constraint trigger refuse after insert on orders deferrable initially deferred
    for each row execute function refuse();`;

interface Host {
  readonly placeOrder: (id: string) => Promise<void>;
  readonly postrider: { close(): Promise<void> };
  readonly close: () => Promise<void>;
  readonly pool: { query(text: string): Promise<{ readonly rows: readonly unknown[] }> };
}

/** A folder with the programs of the guide, and the libraries beside them. */
function writeHost(library: string): string {
  const folder = tempFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of ["pg", "kysely", "knex", "drizzle-orm"])
    symlinkSync(join(ROOT, "test/programs/outbox/node_modules", name), join(modules, name));
  for (const name of ["postrider", "@postrider"]) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  const settings = `network: { allow: ["127.0.0.0/8"] },\n  store:`;
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
  writeFileSync(join(folder, "postrider.js"), GUIDE.get("postrider.js")!.replace("store:", settings));
  writeFileSync(join(folder, `with-${library}.js`), GUIDE.get(`with-${library}.js`)!);
  const open = `import pg from "pg";
    export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });`;
  writeFileSync(join(folder, "database.js"), `${open}\n${DATABASES[library]!}\n`);
  return folder;
}
