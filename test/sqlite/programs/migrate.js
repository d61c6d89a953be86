// Opens a store on a file, and kills itself before the statement whose number it is given; prints "done" if it reaches the
// end.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { writeSync } from "node:fs";

const [, , FILE = "", LAST = ""] = process.argv;
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
