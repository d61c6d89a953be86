// Four servers on one replicated database under load, through kills of any of them: of servers at any time, also while they start, of
// connections, of the whole database, and of its primary for good. Then kills one by one, to see when what a server held goes out.

import type { Random } from "@postrider/core";
import { allSettled, countLogged } from "../crash/site.js";
import { SHORT_LEASE, destination, stats } from "../end-to-end/scene.js";
import { pause, until } from "../end-to-end/receiver.js";
import { runProcess, serve, type ServerProcess } from "../end-to-end/server-process.js";
import { startReplicated, type Replicated } from "../programs/postgres/replicated.js";
import type { Installed } from "../programs/postgres/servers.js";
import { createArrivals, type Arrivals } from "./arrivals.js";
import { type Load, startLoad, writeFleetConfig } from "./fleet.js";
import { type Content, readContent } from "./fleet-content.js";

const SERVERS = 4;
const CALLERS = 8;
const ANSWERS_AFTER_MS = 20;
/** A server lives at most this long after its start. */
const MAX_LIFE_MS = 4_000;
/** Of the kills, this share falls within a start. */
const WITHIN_START = 0.2;
const MAX_START_MS = 2_500;
/** A server whose database is down ends, and is started again, as by a supervisor. */
const MAX_STARTS = 100;
const PAUSE_AFTER_START_MS = 250;
/** How long after the lease of a killed server what it held may go out. */
const SLACK_MS = 2_000;
const SETTLED_WITHIN_MS = 300_000;

export interface KillOptions {
  readonly installed: Installed;
  /** Of servers, in the storm. */
  readonly kills: number;
  /** Of the database: by turns of one connection, and of all of it. */
  readonly crashes: number;
  readonly promotions: number;
  /** Of single servers, after the storm. */
  readonly singleKills: number;
  readonly random: Random;
  readonly tell: (line: string) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly answered: number;
  readonly content: Content;
  /** Requests beyond the first one of each message. */
  readonly repeated: number;
  /** For each single kill: from it to the last request for something that the server held, in milliseconds. */
  readonly heldMs: readonly number[];
  /** What was logged, by its code. */
  readonly logged: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}

interface Site {
  readonly config: string;
  readonly database: Replicated;
  readonly members: ServerProcess[];
  readonly arrivals: Arrivals;
  readonly load: Load;
  readonly random: Random;
  readonly logged: Record<string, number>;
}

export async function killFleet(options: KillOptions): Promise<KillReport> {
  const database = await startReplicated(options.installed);
  try {
    return await play(options, database);
  } finally {
    await database.stop();
  }
}

async function play({ kills, crashes, promotions, singleKills, random, tell }: KillOptions, database: Replicated) {
  const arrivals = await createArrivals(ANSWERS_AFTER_MS);
  const config = writeFleetConfig(database.url(), [destination([arrivals.url])]);
  const members: ServerProcess[] = [];
  const logged: Record<string, number> = {};
  for (let place = 0; place < SERVERS; place += 1) members.push(await serve(config));
  const load = startLoad(() => members.map(({ url }) => url), CALLERS);
  const site: Site = { config, database, members, arrivals, load, random, logged };

  await storm(site, { kills, crashes, promotions, tell });
  const heldMs: number[] = [];
  const findings: string[] = [];
  for (let kill = 0; kill < singleKills; kill += 1) heldMs.push(await killOne(site, kill % SERVERS, findings));
  await load.stop();
  await allSettled(members[0]!.url, SETTLED_WITHIN_MS);
  findings.push(...(await judge(site)));
  const content = await readContent(database);
  await Promise.all(members.map((member) => member.end()));
  for (const member of members) count(site, member);
  const requests = [...arrivals.times.values()].reduce((sum, times) => sum + times.length, 0);
  return {
    kills: kills + singleKills,
    answered: load.accepted.length,
    content,
    repeated: requests - arrivals.times.size,
    heldMs: heldMs.map(Math.round),
    logged,
    findings,
  };
}

type Storm = Pick<KillOptions, "kills" | "crashes" | "promotions" | "tell">;

/** Each place kills its server and starts it again until all kills are done; the database is disturbed meanwhile, at even distances. */
async function storm(site: Site, { kills, crashes, promotions, tell }: Storm): Promise<void> {
  let done = 0;
  async function killAt(place: number): Promise<void> {
    while (done < kills) {
      done += 1;
      if (site.random.unit() < WITHIN_START) await startAndKill(site);
      else await killAndStart(site, place);
    }
  }
  async function disturb(): Promise<void> {
    const acts = disturbances(site.database, crashes, promotions);
    for (const [index, { name, act }] of acts.entries()) {
      const after = ((index + 1) * kills) / (acts.length + 1);
      await until(() => done >= after, `${String(after)} kills`, SETTLED_WITHIN_MS);
      await act();
      tell(`${String(done)} kills, ${String(site.load.accepted.length)} answered: ${name}`);
    }
  }
  await Promise.all([...site.members.keys()].map(killAt).concat(disturb()));
}

interface Disturbance {
  readonly name: string;
  readonly act: () => Promise<void>;
}

/** The crashes, with the promotions evenly between them. */
function disturbances(database: Replicated, crashes: number, promotions: number): readonly Disturbance[] {
  const crash = (index: number): Disturbance =>
    index % 2 === 0
      ? { name: "a connection is killed", act: () => database.killOneConnection() }
      : { name: "the database is killed", act: () => database.killPrimary() };
  const promotion: Disturbance = { name: "the standby is promoted", act: () => database.promote() };
  const ordered = [
    ...Array.from({ length: crashes }, (_, index) => ({ at: (index + 0.5) / crashes, what: crash(index) })),
    ...Array.from({ length: promotions }, (_, index) => ({ at: (index + 0.75) / promotions, what: promotion })),
  ];
  return ordered.toSorted((one, other) => one.at - other.at).map(({ what }) => what);
}

async function killAndStart(site: Site, place: number): Promise<void> {
  await pause(site.random.unit() * MAX_LIFE_MS);
  const member = site.members[place]!;
  await member.kill();
  count(site, member);
  site.members[place] = await startAgain(site);
}

/** A further server, which is killed within its start. */
async function startAndKill({ config, random }: Site): Promise<void> {
  const program = runProcess(["serve", "--config", config]);
  await pause(random.unit() * MAX_START_MS);
  program.signal("SIGKILL");
  await program.exit;
}

async function startAgain({ config }: Site): Promise<ServerProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await serve(config);
    } catch (error) {
      if (tries === MAX_STARTS) throw error;
      await pause(PAUSE_AFTER_START_MS);
    }
  }
}

/** Kills one server while the others go on. Answers how long it took until the last of what it held had gone out. */
async function killOne(site: Site, place: number, findings: string[]): Promise<number> {
  const { load, arrivals, members } = site;
  await pause(SHORT_LEASE.leaseMs);
  const before = new Set(load.accepted);
  const killedAt = performance.now();
  await members[place]!.kill();
  count(site, members[place]!);
  await pause(SHORT_LEASE.leaseMs + SLACK_MS);
  const late = [...before].filter((id) => !arrivals.times.has(id));
  if (late.length > 0)
    findings.push(`${String(late.length)} calls have not gone out within a lease and 2 s, such as ${String(late[0])}`);
  members[place] = await startAgain(site);
  const times = [...before].flatMap((id) => arrivals.times.get(id) ?? []);
  return times.reduce((last, at) => Math.max(last, at - killedAt), 0);
}

function count({ logged }: Site, member: ServerProcess): void {
  for (const [code, times] of Object.entries(countLogged([member]))) logged[code] = (logged[code] ?? 0) + times;
}

/** What is not as it should be, once all is settled. */
async function judge({ load, arrivals, members, database }: Site): Promise<readonly string[]> {
  const findings: string[] = [];
  const lost = load.accepted.filter((id) => !arrivals.times.has(id));
  if (lost.length > 0) findings.push(`${String(lost.length)} answered calls never arrived, such as ${String(lost[0])}`);
  const content = await readContent(database);
  const told = await Promise.all(members.map(({ url }) => stats(url)));
  for (const { accepted, waiting, claimed, delivered, dead } of told) {
    const numbers = JSON.stringify({ accepted, waiting, claimed, delivered, dead });
    if (waiting + claimed + dead > 0 || delivered !== accepted) findings.push(`not all is delivered: ${numbers}`);
    if (delivered !== content.ended) findings.push(`the counters say ${numbers}, the rows ${JSON.stringify(content)}`);
  }
  if (content.messages !== content.ended) findings.push(`a message without its end: ${JSON.stringify(content)}`);
  if (content.messages !== arrivals.times.size)
    findings.push(`${String(arrivals.times.size)} messages arrived, and ${JSON.stringify(content)} is stored`);
  return findings;
}
