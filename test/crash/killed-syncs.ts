// Kills servers during a first sync: while its members are uploaded, and while its changes are sent. The upload of the
// members is repeated until it is answered; from then on servers are only started.

import type { Random } from "@postrider/core";
import { allSettled } from "./site.js";
import {
  askServer,
  createUsersSite,
  judgeFile,
  liveToTheEnd,
  type UsersSite,
  repeats,
  untilAnswered,
} from "./users-site.js";

const KEY = "vip";
const SETTLED_WITHIN_MS = 600_000;
/** The times of the kills: later each time during the upload; during sending, within more than the lease. */
const COLLECTING_STEP_MS = 300;
const SENDING_MS = 9_000;

export interface SyncLife {
  readonly members: number;
  readonly kills: number;
  readonly random: Random;
}

export interface SyncLifeReport {
  /** Kills before the upload was answered, and after it. */
  readonly kills: { readonly collecting: number; readonly sending: number };
  readonly requests: number;
  readonly repeats: number;
  readonly findings: readonly string[];
}

export async function syncThroughKills({ members, kills, random }: SyncLife): Promise<SyncLifeReport> {
  const site = await createUsersSite();
  const lines = Array.from({ length: members }, (_, index) => `"u${String(index)}"\n`).join("");
  const counted = { collecting: 0, sending: 0 };
  const safe = { sync: false };
  const bring = async (url: string): Promise<boolean> => {
    safe.sync ||= await bringMembers(url, lines);
    return safe.sync;
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const phase = safe.sync ? "sending" : "collecting";
    const withinMs = phase === "sending" ? SENDING_MS : COLLECTING_STEP_MS * (counted.collecting + 1);
    await site.liveUntilKilled({ random, withinMs }, bring);
    counted[phase] += 1;
  }
  await liveToTheEnd(site, async ({ url }) => {
    await untilAnswered(() => bring(url), SETTLED_WITHIN_MS, "sync that is safe");
    await untilAnswered(() => hasEnded(url), SETTLED_WITHIN_MS, "end of the sync");
    await allSettled(url, SETTLED_WITHIN_MS);
  });
  return {
    kills: counted,
    requests: site.arrived.size + repeats(site),
    repeats: repeats(site),
    findings: [...judge(site, members), ...(await judgeFile(site))].slice(0, 20),
  };
}

/** Whether a sync with all members is stored: this one, or an earlier one whose answer was lost. */
async function bringMembers(url: string, lines: string): Promise<boolean> {
  await askServer(url, "audiences", {
    method: "POST",
    body: JSON.stringify({ name: KEY, destinations: ["crm"] }),
  });
  const before = await askServer(url, `audiences/${KEY}`);
  if (isSending(before?.json)) return true;
  const answer = await askServer(url, `audiences/${KEY}/sync`, { method: "POST", body: lines });
  return answer?.status === 202;
}

function isSending(audience: Readonly<Record<string, unknown>> | undefined): boolean {
  const { running, last } = (audience ?? {}) as { running?: { phase: string } | null; last?: object | null };
  return running?.phase === "sending" || (last !== null && last !== undefined);
}

async function hasEnded(url: string): Promise<boolean> {
  const audience = (await askServer(url, `audiences/${KEY}`))?.json;
  return audience !== undefined && audience["running"] === null && audience["last"] !== null;
}

/** Whether every member got the trait, in one message. */
function judge({ arrived }: UsersSite, members: number): readonly string[] {
  const heard = new Map<string, number>();
  const wrong: string[] = [];
  for (const [messageId, { type, userId, traits }] of arrived) {
    heard.set(userId, (heard.get(userId) ?? 0) + 1);
    const isTrue = type === "identify" && JSON.stringify(traits) === `{"${KEY}":true}`;
    if (!isTrue) wrong.push(`${messageId} is no ${KEY}`);
  }
  for (let index = 0; index < members; index += 1) {
    const times = heard.get(`u${String(index)}`) ?? 0;
    if (times !== 1) wrong.push(`u${String(index)} has ${String(times)} messages`);
  }
  return heard.size === members ? wrong : [...wrong, `${String(heard.size)} users have heard`];
}
