// `npm run soak -- failover`: four servers on a replicated PostgreSQL through a thousand kills of servers, fifty of the database,
// and ten promotions of its standby, all under load.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { killFleet } from "../killed-fleet.js";
import { mayReplicate } from "../../programs/postgres/replicated.js";
import { installedServers } from "../../programs/postgres/servers.js";

const KILLS = Number(env["POSTRIDER_RUNS"] ?? 1_000);
const SEED = Number(env["POSTRIDER_SEED"] ?? 18);
const KILLS_PER_CRASH = 20;
const KILLS_PER_PROMOTION = 100;
const SINGLE_KILLS = 20;

it("several servers on one database through kills of any of them", async () => {
  const installed = installedServers().find(mayReplicate);
  if (installed === undefined) throw new Error("this needs a PostgreSQL with pg_basebackup, such as Debian's");
  const { findings, ...report } = await killFleet({
    installed,
    kills: KILLS,
    crashes: Math.ceil(KILLS / KILLS_PER_CRASH),
    promotions: Math.ceil(KILLS / KILLS_PER_PROMOTION),
    singleKills: SINGLE_KILLS,
    random: createSeededRandom(SEED),
    tell: (line) => console.log(line),
  });
  console.log(JSON.stringify({ on: installed.name, ...report }));
  expect(findings).toEqual([]);
});
