import { describe, expect, it } from "vitest";
import { readConfig } from "../../packages/postrider/src/read-config.js";
import { reload } from "../../packages/postrider/src/reload.js";
import { SHOP_KEY, TOKEN } from "../canary.js";
import { type ConfigJson, configJson, writeConfig } from "./config-file.js";
import { api, type Logged, receiverOf, serverOf, type ServerUnderTest, track } from "./server.js";

/** Reads a new config into a running server; answers what was logged about it. */
function reloadWith({ server, log }: ServerUnderTest, content: ConfigJson | string): readonly Logged[] {
  const before = log.length;
  const file = writeConfig(content);
  const logger = { log: (level: string, entry: object) => void (log as Logged[]).push({ level, ...entry } as Logged) };
  reload({ server, read: readConfig(file, () => undefined), file, logger });
  return log.slice(before);
}

describe("a config that is read anew", () => {
  it("brings new sources and destinations into force", async () => {
    const receiver = await receiverOf();
    const running = await serverOf(configJson());
    const logged = reloadWith(
      running,
      configJson({
        sources: [{ id: "shop", writeKey: SHOP_KEY }],
        destinations: [{ id: "new", sources: ["shop"], endpoints: [{ url: receiver.url }] }],
      }),
    );
    expect(logged.map(({ code }) => code)).toEqual(["configured"]);
    expect((await track(running.server.url)).status).toBe(401);
    expect((await track(running.server.url, {}, SHOP_KEY)).status).toBe(200);
    await receiver.count(1);
  });

  it("brings a new API token into force", async () => {
    const running = await serverOf(configJson({ apiToken: "the-old-api-token" }));
    reloadWith(running, configJson({ apiToken: "the-new-api-token" }));
    expect((await api(running.server.url, "stats", "the-old-api-token")).status).toBe(401);
    expect((await api(running.server.url, "stats", "the-new-api-token")).status).toBe(200);
    reloadWith(running, configJson());
    expect((await api(running.server.url, "stats", "the-new-api-token")).status).toBe(403);
  });

  it("brings a new network into force", async () => {
    const receiver = await receiverOf();
    const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
    const running = await serverOf(configJson({ destinations, apiToken: TOKEN }));
    await track(running.server.url);
    await receiver.count(1);
    const logged = reloadWith(running, configJson({ destinations, network: {}, apiToken: TOKEN }));
    expect(logged.map(({ code }) => code)).toContain("forbidden-address");
    await track(running.server.url);
    await expect
      .poll(async () => (await (await api(running.server.url, "deliveries?state=dead", TOKEN)).json()).deliveries)
      .toMatchObject([{ reason: "refused", detail: "forbidden-address" }]);
    expect(receiver.messages).toHaveLength(1);
  });

  it.each([
    ["no JSON", "{"],
    ["a bad one", configJson({ sources: [{ id: "shop", writeKey: "" }] })],
  ])("changes nothing when it is %s, and says what is wrong", async (_, content) => {
    const running = await serverOf(configJson());
    const before = running.server.config();
    const logged = reloadWith(running, content);
    expect(new Set(logged.map(({ level, code }) => `${level} ${code}`))).toEqual(new Set(["error config-refused"]));
    expect(running.server.config()).toBe(before);
    expect((await track(running.server.url)).status).toBe(200);
  });

  it("warns of what needs a restart, and goes on with the old", async () => {
    const running = await serverOf(configJson());
    const changes = { listen: { host: "127.0.0.1", port: 1 }, store: "sqlite:./other.db" };
    const logged = reloadWith(running, configJson(changes));
    const warned = logged.filter(({ code }) => code === "needs-restart");
    expect(warned.map(({ detail }) => detail?.split(" ")[0])).toEqual(["listen", "store"]);
    expect((await track(running.server.url)).status).toBe(200);
  });
});
