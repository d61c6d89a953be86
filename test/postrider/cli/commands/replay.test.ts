import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { api, receiverOf, refusingReceiver, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

/** A server with `count` dead deliveries, whose destination accepts messages afterwards. */
async function withDead(count: number) {
  const receiver = await receiverOf();
  const json = (url: string) =>
    configJson({ apiToken: TOKEN, destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url }] }] });
  const running = await serverOf(json(await refusingReceiver()));
  const { server } = running;
  for (let call = 0; call < count; call += 1) await track(server.url);
  const dead = async () => (await (await api(server.url, "deliveries?state=dead", TOKEN)).json()).deliveries;
  await expect.poll(dead).toHaveLength(count);
  const { configOf } = await import("../../server.js");
  expect(server.configure(configOf(json(receiver.url)))).toEqual([]);
  const ids = ((await dead()) as readonly { id: string }[]).map(({ id }) => id);
  const replay = (...words: readonly string[]) => run(["replay", "--url", server.url, "--token", TOKEN, ...words]);
  return { receiver, ids, replay, url: server.url };
}

describe("postrider replay", () => {
  it("delivers one delivery again", async () => {
    const { receiver, ids, replay } = await withDead(1);
    const { code, out } = await replay(ids[0]!);
    expect({ code, out }).toEqual({ code: 0, out: [expect.stringMatching(/^replayed as \S+$/)] });
    await receiver.count(1);
  });

  it("delivers all dead ones of a destination again, once", async () => {
    const { receiver, replay } = await withDead(3);
    expect(await replay("--destination", "crm", "--reason", "refused")).toMatchObject({ code: 0, out: ["replayed 3"] });
    await receiver.count(3);
    expect(await replay("--destination", "crm")).toMatchObject({ code: 0, out: ["replayed 0"] });
  });

  it("leaves out deliveries with another time or reason", async () => {
    const { replay } = await withDead(1);
    expect(await replay("--destination", "crm", "--reason", "expired")).toMatchObject({ out: ["replayed 0"] });
    expect(await replay("--destination", "crm", "--until", "2020-01-01")).toMatchObject({ out: ["replayed 0"] });
    expect(await replay("--destination", "crm", "--since", "2020-01-01")).toMatchObject({ out: ["replayed 1"] });
  });

  it("has status 1 and prints the server's answer", async () => {
    const { replay, url } = await withDead(0);
    const unknown = await replay("no-such-id");
    expect(unknown).toMatchObject({ code: 1, err: [expect.stringContaining("answered 404")] });
    const stranger = await run(["replay", "--url", url, "--token", "wrong", "1"]);
    expect(stranger).toMatchObject({ code: 1, err: [expect.stringContaining("answered 401")] });
  });

  it.each([
    ["neither an id nor a destination", []],
    ["both", ["1", "--destination", "crm"]],
    ["a reason that is none", ["--destination", "crm", "--reason", "bored"]],
  ])("has status 2 for %s", async (_, words) => {
    expect((await run(["replay", "--url", "http://127.0.0.1:1", "--token", TOKEN, ...words])).code).toBe(2);
  });
});
