// `npm run soak -- storms`: the real server before receivers that refuse or fail for ten seconds, refuse single messages, or refuse
// at random. No delivery may die of what is true of all. Prints what each storm cost; the times are valid only on an otherwise
// idle machine.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TOKEN } from "../../canary.js";
import { pause, until } from "../receiver.js";
import { ask, deliveries } from "../scene.js";
import { PROGRAM } from "../server-process.js";
import { type Answers, type RigLane, startRig } from "../storm-rig.js";

const SECOND = 1_000;
const STORM_MS = 10 * SECOND;
const PER_SECOND = 200;
/** The calls a second to each lane of the storms. */
const PACES = { busy: PER_SECOND, quiet: 0.1, pair: 20 };
/** What was accepted before the end of a storm is delivered by then. */
const MOST_AFTER_MS = 60 * SECOND;
/** How long receivers that refuse by kind are called, and when all that they take has arrived. */
const KINDS_MS = 60 * SECOND;
const LATEST_MS = 30 * SECOND;

interface Storm {
  readonly name: string;
  /** The answers of the first receiver of a lane, one after the other. */
  readonly statuses: readonly number[];
}

const STORMS: readonly Storm[] = [
  { name: "404", statuses: [404] },
  { name: "401, 403, 410, 302", statuses: [401, 403, 410, 302] },
  { name: "503", statuses: [503] },
];

it("a storm of ten seconds kills no delivery, and all arrive within a minute of its end", async () => {
  const { lanes } = await startRig({ busy: 1, quiet: 1, pair: 2 });
  lanes.pair.receivers[1]?.answer(() => 503);
  const all = Object.entries(PACES).map(([id, pace]) => ({ lane: lanes[id as keyof typeof lanes], pace }));
  const callers = all.map(({ lane, pace }) => lane.callEvenly(pace));
  await until(() => all.every(({ lane }) => lane.posts().length > 0), "the first requests");
  const rows = [];
  for (const storm of STORMS) rows.push(...(await playStorm(all, storm)));
  await Promise.all(callers.map(({ stop }) => stop()));
  await Promise.all(all.map(({ lane }) => untilTaken(lane)));
  const counts = await Promise.all(all.map(({ lane }) => lane.counts()));
  printTable(rows);
  printTable(counts.map(({ source, accepted, delivered, dead }) => ({ source, accepted, delivered, dead })));

  expect(rows.filter(({ dead }) => dead > 0)).toEqual([]);
  expect(rows.filter(({ "all delivered after, s": afterS }) => afterS > MOST_AFTER_MS / SECOND)).toEqual([]);
  expect(counts.map(({ source, dead }) => [source, dead])).toEqual(Object.keys(PACES).map((id) => [id, 0]));
  // Each message that the first endpoint of the pair refused was delivered there: the second never answered 200.
  const [first] = lanes.pair.receivers;
  const refused = new Set(first?.posts.filter(({ status }) => status !== 200).map(({ messageId }) => messageId));
  const taken = new Set(first?.posts.filter(({ status }) => status === 200).map(({ messageId }) => messageId));
  console.log(`the pair: ${String(refused.size)} messages were refused by the first endpoint, and taken by it later`);
  expect(refused.size).toBeGreaterThan(0);
  expect([...refused].filter((id) => !taken.has(id))).toEqual([]);
});

it("a receiver that refuses one in three at random costs one in nine, and a wrong message delays no other", async () => {
  const forMs = 30 * SECOND;
  const { server, lanes } = await startRig({ wall: 1, good: 1 });
  const { wall, good } = lanes;
  wall.receivers[0]?.answer(() => (Math.random() < 1 / 3 ? 403 : 200));
  good.receivers[0]?.answer((event) => (event === "Wrong" ? 400 : 200));
  const callers = [wall.callEvenly(PER_SECOND), good.callEvenly(PER_SECOND)];
  await pause(2 * SECOND);
  const [wrong = ""] = await good.call(["Wrong"]);
  await pause(forMs - 2 * SECOND);
  await Promise.all(callers.map(({ stop }) => stop()));
  await expect.poll(async () => isSettled(await good.counts()), { timeout: 120_000 }).toBe(true);
  await expect.poll(async () => isSettled(await wall.counts()), { timeout: 120_000 }).toBe(true);

  const { accepted, delivered, dead } = await wall.counts();
  const most = mostOf(accepted, 1 / 9);
  printTable([{ lane: "wall", accepted, delivered, dead, most, share: (dead / accepted).toFixed(4) }]);
  expect(dead).toBeLessThanOrEqual(most);
  expect(delivered + dead).toBe(accepted);
  expect(backlogOf(wall)).toBe(dead);
  expect(wall.moves()).toEqual([]);

  const posts = good.posts().filter(({ messageId }) => messageId === wrong);
  const deadAfterMs = (posts.at(-1)?.at ?? Infinity) - (good.made.get(wrong) ?? NaN);
  const lags = lagsOf(good);
  const counts = await good.counts();
  const [died] = await deliveries(server.url, `&messageId=${wrong}`);
  printTable([
    {
      ...{ lane: "good", "wrong: POSTs": posts.length, "wrong: dead after, s": (deadAfterMs / SECOND).toFixed(1) },
      ...{ "others: accepted": counts.accepted - 1, "others: dead": counts.dead - 1 },
      ...{ "others: longest delay, ms": Math.max(...lags) },
    },
  ]);
  expect(died).toMatchObject({ state: "dead", reason: "refused", detail: "400", attemptCount: 2 });
  expect(deadAfterMs).toBeLessThan(60 * SECOND);
  expect(counts).toMatchObject({ delivered: counts.accepted - 1, dead: 1 });
  expect(good.moves()).toEqual([]);
});

it("a deploy in which half of the instances refuse for ten seconds kills no delivery", async () => {
  const { lanes } = await startRig({ rolling: 1 });
  const { rolling } = lanes;
  const caller = rolling.callEvenly(PER_SECOND);
  await until(() => rolling.posts().length > 0, "the first requests");
  rolling.receivers[0]?.answer(() => (Math.random() < 1 / 2 ? 404 : 200));
  await pause(STORM_MS);
  rolling.receivers[0]?.answer(() => 200);
  await caller.stop();
  await untilTaken(rolling);
  const { accepted, delivered, dead } = await rolling.counts();
  printTable([{ lane: "rolling", accepted, delivered, dead, moves: rolling.moves().length }]);
  expect(dead).toBe(0);
});

it("a receiver that refuses most of what it gets, by its kind, gets all that it takes, and soon", async () => {
  const kinds = { half: [0.5, 3], most: [0.8, 5], nearly: [0.9, 20] } as const;
  const ids = ["half", "most", "nearly"] as const;
  const { lanes } = await startRig({ half: 1, most: 1, nearly: 1 });
  // A receiver that has taken nothing yet looks like one that refuses everything, and is only probed.
  await Promise.all(ids.map((id) => lanes[id].call(["Good"])));
  await until(() => ids.every((id) => lanes[id].posts().length > 0), "the first requests");
  const endsAt = Date.now() + KINDS_MS;
  const good = new Map(ids.map((id) => [id, [] as string[]]));
  const callers = ids.map(async (id) => {
    const [share, perSecond] = kinds[id];
    lanes[id].receivers[0]?.answer((event) => (event === "Wrong" ? 400 : 200));
    while (Date.now() < endsAt) {
      const event = Math.random() < share ? "Wrong" : "Good";
      const [messageId = ""] = await lanes[id].call([event]);
      if (event === "Good") good.get(id)?.push(messageId);
      await pause(SECOND / perSecond);
    }
  });
  await Promise.all(callers);
  await pause(LATEST_MS);
  const rows = ids.map((id) => {
    const made = good.get(id) ?? [];
    const taken = made.filter((messageId) => lanes[id].takenAt(messageId) !== undefined);
    const lags = taken.map((one) => (lanes[id].takenAt(one) ?? NaN) - (lanes[id].made.get(one) ?? NaN));
    return { lane: id, good: made.length, taken: taken.length, "longest delay, s": Math.max(...lags) / SECOND };
  });
  printTable(rows);
  expect(rows.filter(({ good: made, taken }) => taken < made)).toEqual([]);
});

it("after a wrong message in a quiet lane the next call is delivered before that one is tried again", async () => {
  const { lanes } = await startRig({ quiet: 1 });
  const { quiet } = lanes;
  quiet.receivers[0]?.answer((event) => (event === "Wrong" ? 400 : 200));
  await quiet.call(["Good"]);
  await until(() => quiet.posts().length === 1, "the first request");
  await quiet.call(["Wrong"]);
  await until(() => quiet.posts().length === 2, "the refusal");
  const [next = ""] = await quiet.call(["Good"]);
  await until(() => quiet.posts().length === 4, "the second refusal");
  await expect.poll(async () => isSettled(await quiet.counts())).toBe(true);
  const statuses = quiet.posts().map(({ status }) => status);
  const delayMs = (quiet.takenAt(next) ?? NaN) - (quiet.made.get(next) ?? NaN);
  printTable([{ lane: "quiet", answers: statuses.join(" "), "delay of the next, ms": delayMs }]);
  expect(statuses).toEqual([200, 400, 200, 400]);
  expect(await quiet.counts()).toMatchObject({ accepted: 3, delivered: 2, dead: 1 });
  expect(quiet.moves()).toEqual([]);
});

it("a destination that refuses from the first message on is held, with its last answer, after ten seconds", async () => {
  const { server, lanes } = await startRig({ never: 1 });
  const { never } = lanes;
  never.receivers[0]?.answer(() => 403);
  const caller = never.callEvenly(10);
  await until(() => never.posts().length > 0, "the first request");
  await pause(10 * SECOND);
  const args = [PROGRAM, "lanes", "--url", server.url, "--token", TOKEN];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { lanes: shown } = await ask<{ readonly lanes: readonly object[] }>(server.url, "lanes");
  await caller.stop();
  console.log(stdout);
  printTable([
    { lane: "never", made: never.made.size, POSTs: never.posts().length, dead: (await never.counts()).dead },
  ]);
  expect(stdout).toMatch(/^never +refusing .*refusing for .*, after 403, next probe/m);
  const backoff = { kind: "refusing", detail: "403" };
  expect(shown).toMatchObject([{ destination: "never", mode: "refusing", backoff, deaths: 0 }]);
  expect((await never.counts()).dead).toBe(0);
});

interface PacedLane {
  readonly lane: RigLane;
  readonly pace: number;
}

/** Plays a storm before all lanes at once; resolves when each has caught up. */
async function playStorm(lanes: readonly PacedLane[], { name, statuses }: Storm) {
  const before = await Promise.all(lanes.map(({ lane }) => lane.counts()));
  const from = Date.now();
  for (const { lane } of lanes) lane.receivers[0]?.answer(inTurn(statuses));
  await pause(STORM_MS);
  const end = Date.now();
  for (const { lane } of lanes) lane.receivers[0]?.answer(() => 200);
  return Promise.all(
    lanes.map(async ({ lane, pace }, index) => {
      await untilTaken(lane, end);
      const made = [...lane.made].filter(([, at]) => at >= from && at < end).map(([id]) => id);
      const deliveredAt = Math.max(end, ...made.map((id) => lane.takenAt(id) ?? NaN));
      await until(() => backlogOf(lane) <= Math.max(1, pace / 2), `end of the backlog of ${lane.id}`);
      const caughtUpAt = Date.now();
      const posts = lane.posts();
      const moves = lane.moves().filter(({ at }) => at >= from);
      const openAt = moves.findLast(({ to }) => to === "open")?.at;
      const counts = await lane.counts();
      return {
        ...{ lane: lane.id, storm: name, made: made.length },
        "POSTs in it": posts.filter(({ at }) => at >= from && at < end).length,
        "held at, s": inSeconds(moves.find(({ to }) => to === "held")?.at, from),
        "opened after, s": inSeconds(openAt, end),
        "all delivered after, s": (deliveredAt - end) / SECOND,
        "caught up after, s": inSeconds(caughtUpAt, end),
        "POSTs a second from then": perSecond(posts, openAt, caughtUpAt),
        dead: counts.dead - (before[index]?.dead ?? 0),
      };
    }),
  );
}

function inTurn(statuses: readonly number[]): Answers {
  let posts = 0;
  return () => {
    posts += 1;
    return statuses[posts % statuses.length] ?? NaN;
  };
}

/** Resolves once all messages that were accepted before an instant were taken. */
async function untilTaken(lane: RigLane, before = Infinity): Promise<void> {
  const waiting = [...lane.made].filter(([, at]) => at < before).map(([id]) => id);
  const isDone = (): boolean => {
    while (waiting.length > 0 && lane.takenAt(waiting.at(-1) ?? "") !== undefined) waiting.pop();
    return waiting.length === 0;
  };
  await until(isDone, `delivery of what ${lane.id} has accepted`);
}

/** How many accepted messages no receiver has taken yet. */
function backlogOf({ made, receivers }: RigLane): number {
  return made.size - Math.max(...receivers.map(({ taken }) => taken.size));
}

function lagsOf(lane: RigLane): readonly number[] {
  return [...lane.made].flatMap(([id, at]) => {
    const takenAt = lane.takenAt(id);
    return takenAt === undefined ? [] : [takenAt - at];
  });
}

function isSettled({ accepted, delivered, dead }: Awaited<ReturnType<RigLane["counts"]>>): boolean {
  return delivered + dead === accepted;
}

/** As many of these as there are with a probability of at most 1 in 10,000, each being one with this chance. */
function mostOf(all: number, chance: number): number {
  const DEVIATIONS = 3.72;
  return Math.ceil(all * chance + DEVIATIONS * Math.sqrt(all * chance * (1 - chance)));
}

function perSecond(posts: ReturnType<RigLane["posts"]>, from: number | undefined, to: number): string {
  if (from === undefined || to <= from) return "-";
  const count = posts.filter(({ at }) => at >= from && at < to).length;
  return ((count * SECOND) / (to - from)).toFixed(0);
}

/** A heading and a line for each row, in columns. */
function printTable(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))];
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  console.log(cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n"));
}

function inSeconds(at: number | undefined, from: number): string {
  return at === undefined ? "-" : ((at - from) / SECOND).toFixed(1);
}
