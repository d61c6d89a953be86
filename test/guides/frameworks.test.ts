// What each framework answers, mounted in each way, to good and bad requests: the real frameworks, over real sockets, each
// answer within a limit of time. The guide to embedding rests on it.

import { beforeAll, describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { measure, TIMES } from "../programs/frameworks/matrix.js";

type Row = Awaited<ReturnType<typeof measure>>[number];

/** The answers to JSON, gzip, invalid JSON, an empty body, and a beacon with JSON as text/plain. */
type Answers = readonly [json: string, gzip: string, invalid: string, empty: string, beacon: string];
const REQUESTS = ["json", "gzip", "invalid JSON", "empty", "beacon"];

const BAD_JSON = "400 bad-json";
const FRAMEWORK = "400 of the framework";
const TOLD = "500 body-already-read";

const OURS: Answers = ["200", "200", BAD_JSON, BAD_JSON, "200"];
/** The parser itself answers what it cannot parse. */
const BEHIND: Answers = ["200", "200", FRAMEWORK, BAD_JSON, "200"];
/** Koa's parsers keep what they have read where a listener of node:http does not see it, and leave text unread. */
const KOA_ALONE: Answers = [TOLD, TOLD, FRAMEWORK, BAD_JSON, "200"];

const EXPECTED: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  "node:http": { plain: OURS, prefix: OURS },
  "Express 5": { plain: OURS, prefix: OURS, before: OURS, behind: BEHIND },
  "Express 4": { plain: OURS, prefix: OURS, before: OURS, behind: BEHIND },
  Nest: { plain: OURS, prefix: OURS, before: OURS, behind: BEHIND },
  Fastify: {
    plain: OURS,
    prefix: OURS,
    before: OURS,
    // Its parser neither unzips nor accepts an empty body as JSON.
    behind: ["200", FRAMEWORK, FRAMEWORK, FRAMEWORK, "200"],
    "behind, not passed on": [TOLD, FRAMEWORK, FRAMEWORK, FRAMEWORK, TOLD],
  },
  Koa: { plain: OURS, prefix: OURS, "by koa-mount": OURS },
  "Koa, koa-bodyparser": { before: OURS, behind: BEHIND, "behind, not passed on": KOA_ALONE },
  "Koa, @koa/bodyparser": { before: OURS, behind: BEHIND, "behind, not passed on": KOA_ALONE },
  Hono: {
    plain: OURS,
    prefix: OURS,
    // Zipped bytes do not survive as text, which is how the middleware of this host has read them.
    behind: ["200", BAD_JSON, BAD_JSON, BAD_JSON, "200"],
    "behind, not passed on": [TOLD, TOLD, TOLD, TOLD, TOLD],
  },
  "Next route handler": { prefix: OURS },
  "Bun-style fetch": { plain: OURS, prefix: OURS },
};

const CASES = Object.entries(EXPECTED).flatMap(([framework, ways]) =>
  Object.entries(ways).map(([way, answers]) => ({ framework, way, answers })),
);

describe("a mount in a framework", () => {
  let rows: readonly Row[];
  const rowsOf = (framework: string, way: string): readonly Row[] =>
    rows.filter((row) => row.framework === framework && row.way === way);

  beforeAll(async () => {
    rows = await measure(WRITE_KEY);
  });

  it("is tried in each way that is expected here, and in no other", () => {
    const tried = new Set(rows.map(({ framework, way }) => `${framework}, ${way}`));
    expect([...tried]).toEqual(CASES.map(({ framework, way }) => `${framework}, ${way}`));
  });

  it.each(CASES)("answers each request of a caller: $framework, $way", ({ framework, way, answers }) => {
    const found = rowsOf(framework, way).map(({ request, answer }) => [request, answer]);
    expect(found).toEqual(REQUESTS.map((request, index) => [request, answers[index]]));
  });

  it("stores each call that it answers with 200, and nothing else", () => {
    for (const row of rows) expect(row.stored, JSON.stringify(row)).toBe(row.answer === "200" ? TIMES : 0);
  });
});
