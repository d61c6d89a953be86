// Opens a store of a made-up next version on a file: its schema has the further step `STEP`. Kills itself before the statement
// number `LAST`; prints "done" if it reaches the end.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { writeSync } from "node:fs";
import { SCHEMA_STEPS } from "../../../packages/sqlite/dist/schema/schema.js";

const [, , FILE = "", STEP = "", LAST = ""] = process.argv;
SCHEMA_STEPS.push(STEP);
let statements = 0;

function count() {
  statements += 1;
  if (statements === Number(LAST)) process.kill(process.pid, "SIGKILL");
}

const database = new DatabaseSync(FILE);
const store = createSqliteStore({
  database: {
    exec: (sql) => {
      count();
      database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const counted =
        (name) =>
        (...values) => {
          count();
          return statement[name](...values);
        };
      return { run: counted("run"), get: counted("get"), all: counted("all") };
    },
    close: () => database.close(),
  },
});
await store.close();
writeSync(1, "done\n");
