// Settings replaced at SIGHUP while deliveries wait: each destination gets a different change, all at the same time.

import { signBody } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createReceiver, pause, type Receiver, until } from "./receiver.js";
import { createScene, deliveries, type DestinationJson, destination, FAST, type Scene, track } from "./scene.js";
import { serve, type ServerProcess } from "./server-process.js";

/** The change for the destination with this id, in words. */
const CHANGES = {
  secret: "another secret",
  url: "another URL",
  off: "switched off",
  paused: "paused",
  "endpoint-removed": "one of two endpoints removed",
  "destination-removed": "destination removed",
};
type Change = keyof typeof CHANGES;
const IDS = Object.keys(CHANGES) as readonly Change[];

/** For each destination its receiver, and one more as another URL or a second endpoint. */
type Receivers = ReadonlyMap<string, readonly [Receiver, Receiver]>;

async function createReceivers(): Promise<Receivers> {
  const pairs = IDS.map(async (id) => [id, [await createReceiver(503), await createReceiver(503)]] as const);
  return new Map(await Promise.all(pairs));
}

function before(receivers: Receivers): readonly DestinationJson[] {
  return IDS.map((id) => {
    const urls = receivers.get(id)!.map(({ url }) => url);
    return destination(id === "endpoint-removed" ? urls : urls.slice(0, 1), { id, sharedSecret: "old" });
  });
}

function after(receivers: Receivers): readonly DestinationJson[] {
  const changed: Readonly<Record<Change, (settings: DestinationJson) => readonly DestinationJson[]>> = {
    secret: (settings) => [{ ...settings, sharedSecret: "new" }],
    url: (settings) => [{ ...settings, endpoints: [{ url: receivers.get("url")![1].url }] }],
    off: (settings) => [{ ...settings, enabled: false }],
    paused: (settings) => [{ ...settings, paused: true }],
    "endpoint-removed": (settings) => [{ ...settings, endpoints: settings.endpoints.slice(0, 1) }],
    "destination-removed": () => [],
  };
  return before(receivers).flatMap((settings) => changed[settings.id as Change](settings));
}

/** Resolves once the new settings are in force, and every round that had begun under the old ones has ended. */
async function reload(server: ServerProcess, scene: Scene, settings: readonly DestinationJson[]): Promise<void> {
  const count = () => server.log().filter(({ code }) => code === "configured").length;
  const known = count();
  scene.rewrite(settings);
  server.signal("SIGHUP");
  await until(() => count() > known, "reload");
  const begun = new Set((await deliveries(server.url, "&state=claimed")).map(({ id }) => id));
  await expect
    .poll(async () => {
      const claimed = new Set((await deliveries(server.url, "&state=claimed")).map(({ id }) => id));
      for (const id of begun) if (!claimed.has(id)) begun.delete(id);
      return begun.size;
    })
    .toBe(0);
}

/** The states of each destination's deliveries, that of the first call first. */
async function states(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = (await deliveries(url)).toReversed();
  return Object.fromEntries(
    IDS.map((id) => [id, found.filter((one) => one.destination === id).map(({ state }) => state)]),
  );
}

/** How many requests each receiver has seen. */
function counts(receivers: Receivers): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries([...receivers].map(([id, pair]) => [id, pair.map(({ requests }) => requests.length)]));
}

describe("settings replaced while deliveries wait", () => {
  it("apply to these deliveries from then on", async () => {
    const receivers = await createReceivers();
    const scene = createScene(before(receivers), FAST);
    const server = await serve(scene.config);
    await track(server.url, { messageId: "first" });
    for (const pair of receivers.values()) await pair[0].count(2);

    await reload(server, scene, after(receivers));
    for (const receiver of [...receivers.values()].flat()) receiver.behave(200);
    const swapped = counts(receivers);
    await track(server.url, { messageId: "second" });
    const whileChanged = {
      secret: ["delivered", "delivered"],
      url: ["delivered", "delivered"],
      off: ["waiting"],
      paused: ["waiting", "waiting"],
      "endpoint-removed": ["delivered", "delivered"],
      "destination-removed": ["waiting"],
    };
    await expect.poll(() => states(server.url)).toEqual(whileChanged);
    await pause(1200);
    expect(await states(server.url)).toEqual(whileChanged);
    const changed = counts(receivers);
    for (const id of ["off", "paused", "destination-removed"]) expect(changed[id]).toEqual(swapped[id]);
    expect(changed["url"]![0]).toBe(swapped["url"]![0]);
    expect(changed["endpoint-removed"]![1]).toBe(swapped["endpoint-removed"]![1]);
    expectSecrets(receivers.get("secret")![0]);

    await reload(server, scene, before(receivers));
    const undone = { ...whileChanged, off: ["delivered"], paused: ["delivered", "delivered"] };
    await expect.poll(() => states(server.url)).toEqual({ ...undone, "destination-removed": ["delivered"] });
    print([swapped, changed, counts(receivers)], [whileChanged, await states(server.url)]);
    expect(server.log()).toContainEqual(
      expect.objectContaining({ level: "warning", code: "orphaned", destination: "destination-removed" }),
    );
  });
});

/** The first attempts are signed with the old secret, the last with the new one. */
function expectSecrets({ requests }: Receiver): void {
  const [first, last] = [requests[0]!, requests.at(-1)!];
  expect(first.headers["x-signature"]).toBe(signBody("old", first.body));
  expect(last.headers["x-signature"]).toBe(signBody("new", last.body));
}

type PerDestination<T> = Readonly<Record<string, readonly T[]>>;

/** The result for each destination, to be printed in the log. */
function print(seen: readonly PerDestination<number>[], was: readonly PerDestination<string>[]): void {
  const rows = IDS.map((id) => [
    CHANGES[id],
    seen.map((at) => at[id]!.join("+")).join(" → "),
    ...was.map((at) => at[id]!.join(", ")),
  ]);
  const head = ["while the first call waits", "requests (2 receivers)", "the first, a second call", "change undone"];
  console.log([head, ...rows].map((cells) => cells.map((cell) => cell.padEnd(30)).join("")).join("\n"));
}
