// The address of a caller as `context.ip`, for sources that ask for it. Which address that is behind proxies, the listener decides.

import { createNodeListener, type ListenerOptions } from "@postrider/http";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { close, listen } from "../loopback.js";
import { post, basic } from "./requests.js";
import { createWorld, source, type World, workspace } from "./world.js";

const CALL = { type: "page", userId: "u1" };

function worldWith(addsIp: boolean | undefined): World {
  const website = source("website", WRITE_KEY);
  const sources = [addsIp === undefined ? website : { ...website, addsIp }];
  return createWorld({ workspace: workspace({ sources }) });
}

/** The `context` of each message for this body. */
async function contexts(
  world: World,
  path: string,
  body: unknown,
  remoteAddress?: string,
): Promise<readonly unknown[]> {
  const from = remoteAddress === undefined ? {} : { remoteAddress };
  expect((await world.ingest({ ...post(path, body), ...from })).status).toBe(200);
  await world.clock.settle();
  return world.messages().map(({ context }) => context);
}

describe("a source that asks for it", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
  ])("gets %s as context.ip of a call alone and of each in a batch", async (address, ip) => {
    expect(await contexts(worldWith(true), "/v1/page", CALL, address)).toEqual([{ ip }]);
    const batch = { batch: [CALL, { ...CALL, context: { locale: "de" } }], context: { app: { name: "a" } } };
    expect(await contexts(worldWith(true), "/v1/batch", batch, address)).toEqual([
      { ip, app: { name: "a" } },
      { ip, app: { name: "a" }, locale: "de" },
    ]);
  });

  it("keeps what a call or its batch says", async () => {
    const own = { ...CALL, context: { ip: "0.0.0.0" } };
    expect(await contexts(worldWith(true), "/v1/page", own, "203.0.113.7")).toEqual([{ ip: "0.0.0.0" }]);
    const batch = { batch: [CALL, own, { ...CALL, context: { ip: null } }], context: { ip: "198.51.100.1" } };
    expect(await contexts(worldWith(true), "/v1/batch", batch, "203.0.113.7")).toEqual([
      { ip: "198.51.100.1" },
      { ip: "0.0.0.0" },
      { ip: null },
    ]);
  });

  it("gets none if the address is not known", async () => {
    expect(await contexts(worldWith(true), "/v1/page", CALL)).toEqual([{}]);
  });
});

describe.each([undefined, false])("a source whose addsIp is %s", (addsIp) => {
  it("gets no address, whatever its callers say of themselves", async () => {
    const direct = { ...CALL, context: { direct: true } };
    expect(await contexts(worldWith(addsIp), "/v1/page", direct, "203.0.113.7")).toEqual([{ direct: true }]);
    expect(await contexts(worldWith(addsIp), "/v1/batch", { batch: [CALL] }, "203.0.113.7")).toEqual([{}]);
  });
});

describe("over a socket", () => {
  async function contextOver(options: ListenerOptions, forwarded: string): Promise<unknown> {
    const world = worldWith(true);
    const server = createServer(createNodeListener(world.ingest, options));
    const port = await listen(server);
    onTestFinished(() => close(server));
    const headers = { ...basic(), "x-forwarded-for": forwarded };
    const asked = { method: "POST", headers, body: JSON.stringify(CALL) };
    expect((await fetch(`http://127.0.0.1:${String(port)}/v1/page`, asked)).status).toBe(200);
    await world.clock.settle();
    return world.messages()[0]?.["context"];
  }

  it("behind a trusted proxy it is what the proxy names, and what a caller has written left of it does not count", async () => {
    const trustedProxies = ["127.0.0.1"];
    expect(await contextOver({ trustedProxies }, "198.51.100.66, 203.0.113.7")).toEqual({ ip: "203.0.113.7" });
    expect(await contextOver({ trustedProxies }, "127.0.0.1")).toEqual({});
  });

  it("without trustedProxies no header counts, and the address of the machine itself is not told", async () => {
    expect(await contextOver({}, "203.0.113.7")).toEqual({});
    expect(await contextOver({ trustedProxies: [] }, "203.0.113.7")).toEqual({ ip: "127.0.0.1" });
  });
});
