// Runs servers on one file through many kills (fault P1): start, sixteen callers, kill -9 at a random moment, start again.
// Only the last server runs until the leases of the previous one have ended. It is measured how long after its start the
// last delivery that was under way at the kill is sent again.

import type { Random } from "@postrider/core";
import { pause, until } from "../end-to-end/receiver.js";
import { serve, type ServerProcess } from "../end-to-end/server-process.js";
import { judge, type Finding, repeatedIn } from "./judge.js";
import { type Alteration, allSettled, alteredBy, countLogged, createSite, type Site } from "./site.js";
import { readFile, unitsClaimedIn } from "./store-content.js";

const CALLERS = 16;
/** Calls that are answered in each cycle before the kill. */
const ANSWERS = 20;
const KILL_WITHIN_MS = 60;

export interface KillOptions {
  readonly cycles: number;
  readonly random: Random;
  readonly alterations?: readonly Alteration[];
  /** For how long the last start waits for the end of all deliveries. */
  readonly settledWithinMs?: number;
}

export interface KillReport {
  readonly kills: number;
  /** Calls answered 200. */
  readonly safe: number;
  readonly requests: number;
  /** Requests whose round is not recorded in the file: those that were repeated because of a kill. */
  readonly repeated: number;
  /** Deliveries that were claimed at a kill, summed over the kills: the most requests that may be repeated. */
  readonly underWay: number;
  /** From the last start to the last request of a delivery that was under way at the last kill. */
  readonly recoveryMs: number;
  /** The log entries of the servers, counted by code. They may help to explain a finding. */
  readonly logged: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

/** Runs one file through this many kills and a last start without a kill, and returns the verdict. */
export async function liveThroughKills(options: KillOptions): Promise<KillReport> {
  const site = await createSite();
  const interrupted = new Map<string, number>();
  const servers: ServerProcess[] = [];
  let underWay: readonly string[] = [];
  let sum = 0;
  for (let cycle = 0; cycle < options.cycles; cycle += 1) {
    servers.push(await serveUntilKilled(site, options));
    underWay = await unitsClaimedIn(site.file);
    for (const unit of underWay) interrupted.set(unit, (interrupted.get(unit) ?? 0) + 1);
    sum += underWay.length;
  }
  const startedAt = performance.now();
  servers.push(await serveToTheEnd(site, options));
  await site.receivers.close();
  const content = await readFile(site.file);
  const { made, safe } = site.callers;
  const { sightings } = site.receivers;
  return {
    kills: options.cycles,
    safe: safe.size,
    requests: [...sightings.values()].reduce((total, { times }) => total + times.length, 0),
    repeated: repeatedIn(content, sightings),
    underWay: sum,
    recoveryMs: recovery(site, underWay, startedAt),
    logged: countLogged(servers),
    findings: judge({ made, safe, sightings, interrupted, content }),
  };
}

async function serveUntilKilled(
  { config, callers }: Site,
  { random, alterations = [] }: KillOptions,
): Promise<ServerProcess> {
  const server = await serve(config, alteredBy(alterations));
  const enough = callers.safe.size + ANSWERS;
  const calling = callers.callUntilGone(server.url, CALLERS);
  await until(() => callers.safe.size >= enough, `${ANSWERS} answers`);
  await pause(random.unit() * KILL_WITHIN_MS);
  await server.kill();
  await calling;
  return server;
}

async function serveToTheEnd({ config, callers }: Site, options: KillOptions): Promise<ServerProcess> {
  const server = await serve(config, alteredBy(options.alterations ?? []));
  await callers.callAgain(server.url);
  await allSettled(server.url, options.settledWithinMs);
  await server.end();
  return server;
}

function recovery({ receivers }: Site, units: readonly string[], startedAt: number): number {
  const firsts = units.map(
    (unit) => receivers.sightings.get(unit)?.times.find((time) => time >= startedAt) ?? Infinity,
  );
  return Math.max(0, ...firsts.map((time) => time - startedAt));
}
