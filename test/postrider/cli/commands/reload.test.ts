import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { SHOP_KEY, TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson, type ConfigJson, writeConfig } from "../../config-file.js";
import { serverOf, track } from "../../server.js";
import { run, start } from "../../test-host.js";

/** `postrider serve` with a config that can be written again, and `postrider reload` for it. */
async function served() {
  const config = writeConfig(configJson({ apiToken: TOKEN }));
  const { host, url, ended } = await start(["serve", "--config", config]);
  return {
    url,
    rewrite: (content: ConfigJson | string) => writeConfig(content, dirname(config)),
    reload: (token = TOKEN) => run(["reload"], { POSTRIDER_URL: url, POSTRIDER_TOKEN: token }),
    end: async () => {
      host.signal("SIGTERM");
      return ended;
    },
  };
}

const SHOP = [{ id: "shop", writeKey: SHOP_KEY }];
const TO_SHOP = [{ id: "crm", sources: ["shop"], endpoints: [{ url: "http://127.0.0.1:9/hook" }] }];

describe("postrider reload", () => {
  it("brings a changed config into force before it ends, and says what was read", async () => {
    const { url, rewrite, reload, end } = await served();
    rewrite(configJson({ apiToken: TOKEN, sources: SHOP, destinations: TO_SHOP }));
    expect(await reload()).toEqual({ code: 0, out: ["reloaded: 1 source, 1 destination"], err: [] });
    expect([(await track(url)).status, (await track(url, {}, SHOP_KEY)).status]).toEqual([401, 200]);
    expect(await end()).toBe(0);
  });

  it("warns of what needs a restart", async () => {
    const { rewrite, reload, end } = await served();
    rewrite(configJson({ apiToken: TOKEN, listen: { host: "127.0.0.1", port: 1 } }));
    expect(await reload()).toMatchObject({
      code: 0,
      err: ["warning: listen has changed; the old value is used until a restart"],
    });
    await end();
  });

  it("prints every problem, has status 2, and changes nothing", async () => {
    const { url, rewrite, reload, end } = await served();
    rewrite(configJson({ apiToken: TOKEN, sources: [{ id: "website" }], surprise: 1 }));
    const { code, err } = await reload();
    expect(code).toBe(2);
    expect(err).toEqual([
      expect.stringMatching(/^(?:surprise|sources\[0\]\.writeKey): expected /),
      expect.stringMatching(/^(?:surprise|sources\[0\]\.writeKey): expected /),
      "postrider: nothing was changed",
    ]);
    rewrite("{");
    expect((await reload()).err[0]).toMatch(/^the config: expected JSON; .* \(bad-json\)$/);
    expect((await track(url, {}, WRITE_KEY)).status).toBe(200);
    await end();
  });

  it("has status 1 with a wrong token, and for a host that cannot reload", async () => {
    const { reload, end } = await served();
    expect(await reload("wrong")).toMatchObject({ code: 1, err: [expect.stringContaining("401 unauthorized")] });
    await end();
    const { server } = await serverOf(configJson({ apiToken: TOKEN }));
    expect(await run(["reload", "--url", server.url, "--token", TOKEN])).toMatchObject({
      code: 1,
      err: [expect.stringContaining("answered 404")],
    });
  });
});
