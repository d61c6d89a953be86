// Kills servers while a deletion is carried out: calls of its users are waiting when it is requested. The request is
// repeated until it is answered or found in the store; from then on servers are only started.

import { readFileSync } from "node:fs";
import type { Random } from "@postrider/core";
import { WRITE_KEY } from "../canary.js";
import { allSettled, POLICY } from "./site.js";
import {
  askServer,
  createUsersSite,
  judgeFile,
  liveToTheEnd,
  type UsersSite,
  repeats,
  untilAnswered,
} from "./users-site.js";

const BATCH = 500;
const KILL_WITHIN_MS = 700;
const SETTLED_WITHIN_MS = 300_000;
/** Time for a round under way to end, and for a busy machine to record its request. */
const ROUND_MS = POLICY.timeoutMs + 2_000;
/** A text in every waiting call. Once the calls are removed, it must not be found in any file. */
const PERSONAL = "personal-matter";

export interface DeletionLife {
  readonly users: number;
  /** The most kills; fewer if the deletion is finished before. */
  readonly kills: number;
  readonly random: Random;
}

export interface DeletionLifeReport {
  readonly kills: number;
  readonly requests: number;
  readonly repeats: number;
  readonly findings: readonly string[];
}

export async function deleteThroughKills({ users, kills, random }: DeletionLife): Promise<DeletionLifeReport> {
  const site = await createUsersSite();
  const userIds = Array.from({ length: users }, (_, index) => `u${String(index)}`);
  site.hold(true);
  await liveToTheEnd(site, ({ url }) => call(url, userIds));
  site.hold(false);
  const life: { inForceAt: number | undefined; isDone: boolean } = { inForceAt: undefined, isDone: false };
  const work = async (url: string): Promise<boolean> => {
    life.inForceAt ??= await request(url, userIds);
    life.isDone = await isCarriedOut(url);
    return life.isDone;
  };
  let killed = 0;
  for (; killed < kills && !life.isDone; killed += 1) {
    await site.liveUntilKilled({ random, withinMs: KILL_WITHIN_MS }, work);
  }
  await liveToTheEnd(site, async ({ url }) => {
    await untilAnswered(() => work(url), SETTLED_WITHIN_MS, "end of the deletion");
    await allSettled(url, SETTLED_WITHIN_MS);
  });
  return {
    kills: killed,
    requests: site.arrived.size + repeats(site),
    repeats: repeats(site),
    findings: [...judge(site, userIds, life.inForceAt ?? 0), ...leftIn(site), ...(await judgeFile(site))].slice(0, 20),
  };
}

/** One call of each. */
async function call(url: string, userIds: readonly string[]): Promise<void> {
  for (let at = 0; at < userIds.length; at += BATCH) {
    const batch = userIds.slice(at, at + BATCH).map((userId) => ({
      type: "track",
      userId,
      event: "Bought",
      messageId: `call-${userId}`,
      properties: { what: PERSONAL },
    }));
    const body = JSON.stringify({ writeKey: WRITE_KEY, batch });
    const response = await fetch(`${url}/v1/batch`, { method: "POST", body });
    if (response.status !== 200) throw new Error(`a batch was answered ${String(response.status)}`);
    await response.arrayBuffer();
  }
}

/** When the deletion was known to be in force; undefined if it is not. */
async function request(url: string, userIds: readonly string[]): Promise<number | undefined> {
  const found = await askServer(url, "deletions");
  if (found === undefined) return undefined;
  if ((found.json["deletions"] as readonly unknown[]).length > 0) return performance.now();
  const body = JSON.stringify({ userIds, regulation: "suppress-with-delete" });
  const answer = await askServer(url, "deletions", { method: "POST", body });
  return answer?.status === 202 ? performance.now() : undefined;
}

/** Whether the deletion is finished and all notices are delivered. */
async function isCarriedOut(url: string): Promise<boolean> {
  const found = await askServer(url, "deletions");
  const [record] = (found?.json["deletions"] ?? []) as readonly {
    readonly finishedAt: string | null;
    readonly notices: readonly { readonly open: number }[];
  }[];
  return typeof record?.finishedAt === "string" && record.notices.every(({ open }) => open === 0);
}

/** Each user is in one notice, and no earlier call arrives after the deletion. */
function judge({ arrived }: UsersSite, userIds: readonly string[], inForceAt: number): readonly string[] {
  const notices = [...arrived.values()].filter(({ type }) => type === "delete").map(({ userId }) => userId);
  const told = new Set(notices);
  const late = [...arrived].filter(([, { type, times }]) => type === "track" && times.at(-1)! > inForceAt + ROUND_MS);
  return [
    ...userIds.filter((userId) => !told.has(userId)).map((userId) => `no notice was sent of ${userId}`),
    ...late.map(([messageId]) => `${messageId} came after the deletion`),
  ];
}

/** The findings in the files after the server has ended. */
function leftIn({ file }: UsersSite): readonly string[] {
  return readFileSync(file).includes(PERSONAL) ? ["the file still holds what was removed"] : [];
}
