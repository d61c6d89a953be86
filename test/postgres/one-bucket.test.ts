// Tables that grow with the calls can be spread over nodes by their bucket. So no statement of a commit or a claim may touch two of
// them: each names its bucket for every such table that it reads or writes.

import { describe, expect, it } from "vitest";
import { POSTGRES_STEPS } from "../../packages/postgres/src/schema/migrate.js";

const SQL = POSTGRES_STEPS.map(({ sql }) => sql).join("\n");
/** The functions that run for each commit and each claim. */
const HOT = [
  "accept",
  "settle",
  "replay",
  "append_attempts",
  "commit",
  "claim",
  "mark_done",
  "add_delta",
  "is_covered",
];

describe("a function of the hot path", () => {
  it("is one of those that are there", () => {
    for (const name of HOT) expect(bodyOf(SQL, name), name).not.toBe("");
  });

  it.each(HOT)("%s names one bucket wherever it touches a table that grows with the calls", (name) => {
    expect(strayStatements(bodyOf(SQL, name), growingTables(SQL))).toEqual([]);
  });

  it("would be found if it read a table of all buckets", () => {
    const tables = growingTables(SQL);
    expect(strayStatements("select 1 from lease l where l.token = p_token", tables)).toHaveLength(1);
    expect(strayStatements("delete from waiting w using u where w.id = u.id", tables)).toHaveLength(1);
    expect(strayStatements("insert into message (id, body) select 1, null", tables)).toHaveLength(1);
    expect(strayStatements("update lease l set open = 0 where l.bucket = other.bucket", tables)).toHaveLength(1);
    expect(strayStatements("select 1 from lease l where l.bucket = p_bucket", tables)).toEqual([]);
  });
});

function growingTables(sql: string): readonly string[] {
  return [...sql.matchAll(/create table (\w+) \(\n {2}bucket int2/gu)].map(([, name = ""]) => name);
}

function bodyOf(sql: string, name: string): string {
  const [, body = ""] =
    new RegExp(`create function ${name}\\([\\s\\S]*?as \\$fn\\$([\\s\\S]*?)\\$fn\\$`, "u").exec(sql) ?? [];
  return body;
}

/** The uses of such a table without `bucket = p_bucket` for its alias, or without `p_bucket` as the first value of an insert. */
function strayStatements(body: string, tables: readonly string[]): readonly string[] {
  const names = tables.join("|");
  const read = new RegExp(`(?:from|join|using|update) (${names})(?: (?:as )?(\\w+))?`, "gu");
  const written = new RegExp(
    `insert into (${names})(?: as \\w+)?\\s*\\(bucket,[^)]*\\)\\s*(?:select distinct on \\([^)]*\\)|select distinct|select|values \\()\\s*(\\w+)`,
    "gu",
  );
  const reads = [...body.matchAll(read)].filter(([, table = "", alias = table]) => {
    const owner = ["where", "set", "on", "order", "limit"].includes(alias) ? table : alias;
    return !body.includes(`${owner}.bucket = p_bucket`) && !(owner === table && body.includes("bucket = p_bucket"));
  });
  const inserts = [...body.matchAll(new RegExp(`insert into (${names})\\b`, "gu"))].length;
  const named = [...body.matchAll(written)].filter(([, , first]) => first === "p_bucket").length;
  return [
    ...reads.map(([text]) => text),
    ...Array.from({ length: inserts - named }, () => "an insert without its bucket"),
  ];
}
