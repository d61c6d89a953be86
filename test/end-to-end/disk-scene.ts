// Shared parts of the tests of faulty disks: callers that record their answers, the answers of health meanwhile, and the
// check of the same file by a server once the disk works again.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { createReceiver, type Receiver, until } from "./receiver.js";
import { createScene, destination, type Scene, settledStats, SHORT_LEASE, stats } from "./scene.js";
import { serve } from "./server-process.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

export interface Heard {
  readonly messageId: string;
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  readonly retryAfter: string | null;
}

export interface HealthJson {
  readonly healthy: boolean;
  readonly reason: string | null;
}

export interface DiskScene {
  readonly scene: Scene;
  readonly file: string;
  readonly receiver: Receiver;
  readonly heard: readonly Heard[];
  /** Makes a call of about this many bytes; records the answer and returns it. */
  call(url: string, bytes?: number): Promise<Heard>;
  /** Expects that every call answered 200 arrives, and no other message; returns how many arrived twice. */
  expectNothingLost(url: string): Promise<number>;
}

/** A config whose one destination is a receiver that answers 200. */
export async function createDiskScene(): Promise<DiskScene> {
  const receiver = await createReceiver(200);
  const scene = createScene([destination([receiver.url])], SHORT_LEASE);
  const heard: Heard[] = [];
  let made = 0;
  const arrived = (): Set<unknown> => new Set(receiver.requests.map(({ message }) => message["messageId"]));
  return {
    scene,
    file: join(dirname(scene.config), "postrider.db"),
    receiver,
    heard,
    call: async (url, bytes = 100) => {
      made += 1;
      const answer = await callOnce(url, `m${String(made)}`, bytes);
      heard.push(answer);
      return answer;
    },
    expectNothingLost: async (url) => {
      const safe = heard.filter(({ status }) => status === 200).map(({ messageId }) => messageId);
      await until(() => safe.every((messageId) => arrived().has(messageId)), "arrival of all that was answered 200");
      const { accepted, delivered } = await settledStats(url);
      const called = new Set<unknown>(heard.map(({ messageId }) => messageId));
      for (const messageId of arrived()) expect(called).toContain(messageId);
      expect(delivered).toBe(accepted);
      expect(accepted).toBeGreaterThanOrEqual(safe.length);
      return receiver.requests.length - arrived().size;
    },
  };
}

/** Distinguishes a server that hangs from one that answers; the speed is not checked. */

async function callOnce(url: string, messageId: string, bytes: number): Promise<Heard> {
  try {
    const response = await fetch(`${url}/v1/track`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` },
      body: JSON.stringify({ messageId, userId: "u1", event: "Called", properties: { text: "x".repeat(bytes) } }),
      signal: AbortSignal.timeout(CONDITION_WATCHDOG_MS),
    });
    await response.arrayBuffer();
    return { messageId, status: response.status, retryAfter: response.headers.get("retry-after") };
  } catch {
    return { messageId, status: undefined, retryAfter: null };
  }
}

export async function healthOf(url: string): Promise<HealthJson> {
  const response = await fetch(`${url}/healthz`);
  const health = (await response.json()) as HealthJson;
  expect(response.status).toBe(health.healthy ? 200 : 503);
  return health;
}

/** A life of a server whose system calls of a kind fail, from its start through some calls. */
export interface Life {
  /** The fault that strace injects, such as `fsync:error=EIO:when=3`. */
  readonly inject: string;
  /** The most calls; after some were refused, no further calls are made. */
  readonly calls: number;
}

export interface LifeTold {
  /** `refused`: it did not start; with its output. `untouched`: it did not make the system call that would have failed. */
  readonly kind: "refused" | "failed" | "untouched";
  readonly words: string;
  readonly heard: readonly Heard[];
  readonly health: HealthJson | undefined;
  /** Messages that were sent twice. */
  readonly repeated: number;
}

const MAX_REFUSED = 4;

/**
 * How many system calls of these names a server makes before it accepts calls, on a file that it creates. The number grows
 * with each migration, so a fault that is to hit a call is placed after it.
 */
export async function callsOfAStart(names: string): Promise<number> {
  const { scene, file } = await createDiskScene();
  const trace = join(dirname(file), "trace");
  const server = await serve(scene.config, { command: tracer(trace, `trace=${names}`) });
  const seen = (): string => readFileSync(trace, "utf8");
  const made = seen().match(/ = -?\d/g)?.length ?? 0;
  await server.kill();
  await until(() => seen().includes("killed by SIGKILL"), "the end of the trace");
  return made;
}

/** A command that traces the program after it, as a child of it. */
export function tracer(trace: string, ...expressions: readonly string[]): readonly string[] {
  const filter = expressions.flatMap((expression) => ["-e", expression]);
  return ["strace", "-D", "-f", "--seccomp-bpf", "-q", "-o", trace, ...filter];
}

/** Runs the life, then starts a server on the same file without faults, which must deliver all calls answered 200. */
export async function liveThrough({ inject, calls }: Life): Promise<LifeTold> {
  const disk = await createDiskScene();
  const told = await liveFaulty(disk, inject, calls);
  const again = await serve(disk.scene.config);
  const repeated = await disk.expectNothingLost(again.url);
  await again.end();
  return { ...told, heard: disk.heard, repeated };
}

async function liveFaulty(
  disk: DiskScene,
  inject: string,
  calls: number,
): Promise<Pick<LifeTold, "kind" | "words" | "health">> {
  const [names = ""] = inject.split(":");
  const trace = join(dirname(disk.file), "trace");
  const command = tracer(trace, `trace=${names}`, `inject=${inject}`);
  const started = await serve(disk.scene.config, { command }).catch((error: unknown) => String(error));
  if (typeof started === "string") return { kind: "refused", words: started, health: undefined };
  const refused = (): number => disk.heard.filter(({ status }) => status !== 200).length;
  for (let call = 0; call < calls && refused() < MAX_REFUSED; call += 1) await disk.call(started.url);
  await untilAtRest(started.url);
  const health = await healthOf(started.url);
  await started.kill();
  const traced = (): string => readFileSync(trace, "utf8");
  await until(() => traced().includes("killed by SIGKILL"), "the end of the trace");
  // The answers of callers and of health do not matter here: a settlement that fails is repeated.
  const isTouched = traced().includes("(INJECTED)");
  return { kind: isTouched ? "failed" : "untouched", words: started.err.join("\n"), health };
}

/** Rounds end, and are stored, after their calls were answered. A store that has failed stores none. */
async function untilAtRest(url: string): Promise<void> {
  const isAtRest = async (): Promise<boolean> => {
    if (!(await healthOf(url)).healthy) return true;
    const left = await stats(url).catch(() => undefined);
    return left?.waiting === 0 && left.claimed === 0;
  };
  await expect.poll(isAtRest).toBe(true);
}
