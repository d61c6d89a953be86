// Loaded before the real program (`node --import`): gives it an altered SQLite driver, with the faults that ALTERED_DRIVER
// lists, such as "no-sync,checkpoint-pages". A harness that does not detect these faults would detect nothing. Without that
// variable the driver is the real one.

import { createRequire } from "node:module";

/** How long before its commit an early answer is sent: longer than an answer takes to its caller on a busy machine. */
const LATE_MS = 400;
/** Small, so that the log is restarted several times in a short life. */
const CHECKPOINT_PAGES = 60;

const wanted = new Set((process.env["ALTERED_DRIVER"] ?? "").split(",").filter((name) => name !== ""));
const unknown = [...wanted].filter(
  (name) =>
    !["no-sync", "checkpoint-pages", "early-answers", "forget-ids", "drop-settlements", "ignore-tokens"].includes(name),
);
if (unknown.length > 0) throw new Error(`no such alteration: ${unknown.join(", ")}`);
if (wanted.size > 0) alterDriver();

function alterDriver() {
  const require = createRequire(import.meta.url);
  const bundled = require("@photostructure/sqlite");
  require.cache[require.resolve("@photostructure/sqlite")].exports = alter(bundled);
  const builtIn = process.getBuiltinModule;
  process.getBuiltinModule = (name) => (name === "node:sqlite" ? alter(builtIn(name)) : builtIn(name));
}

function alter(driver) {
  function AlteredDatabase(file) {
    return openAltered(new driver.DatabaseSync(file));
  }
  return { ...driver, DatabaseSync: AlteredDatabase };
}

function openAltered(database) {
  const transaction = wanted.has("early-answers") ? oneForMany(database) : oneForEach(database);
  return {
    exec: (sql) => {
      if (sql.startsWith("begin ")) return transaction.begin(sql);
      if (sql === "commit") return transaction.commit();
      return database.exec(settingOf(sql));
    },
    prepare: (sql) => transaction.watch(sql, database.prepare(questionOf(sql))),
    close: () => {
      transaction.end();
      return database.close();
    },
  };
}

function settingOf(sql) {
  if (wanted.has("no-sync") && /^pragma synchronous/.test(sql)) return "pragma synchronous = normal";
  if (wanted.has("checkpoint-pages") && /^pragma wal_autocheckpoint/.test(sql)) {
    return `pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`;
  }
  return sql;
}

function questionOf(sql) {
  return wanted.has("ignore-tokens") ? sql.replace(/ and state = \d+ and token = \?/, " and ? is not null") : sql;
}

function oneForEach(database) {
  let hasSettled = false;
  return {
    begin: (sql) => {
      hasSettled = false;
      database.exec(sql);
      if (sql === "begin immediate" && wanted.has("forget-ids") && hasTable(database, "seen_hash"))
        database.exec("delete from seen_hash; delete from seen_id");
    },
    commit: () => database.exec(hasSettled ? "rollback" : "commit"),
    watch: (sql, statement) => {
      if (!wanted.has("drop-settlements") || !/^\s*update delivery set[^]*from \(values/.test(sql)) return statement;
      const settling = (answer) => {
        hasSettled = true;
        return answer;
      };
      return {
        run: (...values) => settling(statement.run(...values)),
        get: (...values) => settling(statement.get(...values)),
        all: (...values) => settling(statement.all(...values)),
      };
    },
    end: () => undefined,
  };
}

function hasTable(database, name) {
  return database.prepare("select name from sqlite_master where name = ?").get(name) !== undefined;
}

/** Ends the open transaction on any connection. Until then no other connection can write. */
let endOpen = () => undefined;

/** Reports a commit as done, and does it a while later. */
function oneForMany(database) {
  endOpen();
  let isOpen = false;
  const end = () => {
    if (isOpen) database.exec("commit");
    isOpen = false;
  };
  return {
    begin: () => {
      if (isOpen) return;
      endOpen();
      database.exec("begin immediate");
      isOpen = true;
      endOpen = end;
      setTimeout(end, LATE_MS);
    },
    commit: () => undefined,
    watch: (_sql, statement) => statement,
    end,
  };
}
