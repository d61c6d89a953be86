import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { look, TOKEN } from "../canary.js";
import { createReceiver, pause } from "./receiver.js";
import { createScene, deliveries, destination, FAST, settled, stats, track } from "./scene.js";
import { PROGRAM, serve } from "./server-process.js";

const WINDOW_MS = 3000;

async function replay(url: string, ...words: readonly string[]): Promise<string> {
  const args = [PROGRAM, "replay", "--url", url, "--token", TOKEN, ...words];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  look("output of a process", stdout + stderr);
  return stdout.trim();
}

describe("a delivery that no receiver accepts", () => {
  it("is dead at once as refused when every receiver answers 413 or 422, and nothing follows", async () => {
    const receivers = [await createReceiver(413), await createReceiver(422)];
    const server = await serve(createScene([destination(receivers.map(({ url }) => url))]).config);
    await track(server.url);
    expect(await settled(server.url, "dead")).toMatchObject({ reason: "refused", detail: "422", attemptCount: 2 });
    await pause(1000);
    expect(receivers.map(({ requests }) => requests.length)).toEqual([1, 1]);
    expect(server.log()).toContainEqual(
      expect.objectContaining({ level: "error", code: "dead-refused", detail: "422" }),
    );
  });

  it("is dead as refused when the receiver answers 404 to it again after it has taken another", async () => {
    const receiver = await createReceiver(({ event }) => (event === "Wrong" ? 404 : 200));
    const server = await serve(createScene([destination([receiver.url])]).config);
    await track(server.url, { event: "Wrong", messageId: "m1" });
    await receiver.count(1);
    // One success is enough, unless the wrong message is under way just then.
    await expect.poll(async () => (await track(server.url), (await stats(server.url)).dead)).toBe(1);
    const [wrong] = await deliveries(server.url, "&messageId=m1");
    expect(wrong).toMatchObject({ state: "dead", reason: "refused", detail: "404" });
    expect(wrong!.attemptCount).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await stats(server.url)).delivered).toBeGreaterThanOrEqual(1);
  });

  it("waits while the receiver answers 404 to all, and is delivered once it takes it", async () => {
    const receiver = await createReceiver(404);
    const server = await serve(createScene([destination([receiver.url])]).config);
    for (const messageId of ["m1", "m2"]) await track(server.url, { messageId });
    await receiver.count(6);
    receiver.behave(200);
    await expect.poll(async () => (await stats(server.url)).delivered).toBe(2);
    const both = await deliveries(server.url);
    expect(both.map(({ attempts }) => attempts.at(-1))).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(server.log().filter(({ code }) => code.startsWith("dead-"))).toEqual([]);
  });

  it("is dead as refused when 404 lasts for the whole window", async () => {
    const receiver = await createReceiver(404);
    const server = await serve(
      createScene([destination([receiver.url])], { ...FAST, retryWindowMs: WINDOW_MS }).config,
    );
    await track(server.url);
    const dead = await settled(server.url, "dead");
    expect(dead).toMatchObject({ reason: "refused", detail: "404" });
    expect(dead.attemptCount).toBeGreaterThanOrEqual(2);
    expect(new Set(dead.attempts.map(({ verdict }) => verdict))).toEqual(new Set(["refused"]));
  });

  it("is dead as expired when 503 lasts for the whole window, nothing follows, and a replay delivers it", async () => {
    const receiver = await createReceiver(503);
    const server = await serve(
      createScene([destination([receiver.url])], { ...FAST, retryWindowMs: WINDOW_MS }).config,
    );
    await track(server.url);
    const dead = await settled(server.url, "dead");
    const diedBy = Date.now();
    expect(dead).toMatchObject({ reason: "expired", detail: "503" });
    const starts = dead.attempts.map(({ startedAt }) => Date.parse(startedAt));
    expect(starts.length).toBeGreaterThanOrEqual(2);
    expect(diedBy - starts[0]!).toBeGreaterThan(0.8 * WINDOW_MS);
    await pause(1000);
    expect(receiver.requests).toHaveLength(starts.length);

    receiver.behave(200);
    const id = (await replay(server.url, dead.id)).replace("replayed as ", "");
    await receiver.count(starts.length + 1);
    await expect
      .poll(async () => (await deliveries(server.url, "&state=delivered")).map((found) => found.id))
      .toEqual([id]);
    expect((await deliveries(server.url, "&state=delivered"))[0]).toMatchObject({
      replayOf: dead.id,
      messageId: dead.messageId,
    });
    expect(receiver.requests.at(-1)!.body).toEqual(receiver.requests[0]!.body);
  });
});
