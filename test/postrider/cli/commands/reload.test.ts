import { createServer } from "node:http";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { close, listen } from "../../../loopback.js";
import { SHOP_KEY, TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson, type ConfigJson, writeConfig } from "../../config-file.js";
import { serverOf, track } from "../../server.js";
import { run, start } from "../../test-host.js";

/** `postrider serve` with a config that can be written again, and `postrider reload` for it. */
async function served(...options: readonly string[]) {
  const config = writeConfig(configJson({ apiToken: TOKEN }));
  const { host, url, ended } = await start(["serve", "--config", config, ...options]);
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
    for (let times = 0; times < 2; times += 1) {
      expect(await reload()).toMatchObject({
        code: 0,
        err: ["warning: listen has changed; the old value is used until a restart"],
      });
    }
    rewrite(configJson({ apiToken: TOKEN }));
    expect(await reload()).toMatchObject({ code: 0, err: [] });
    await end();
  });

  it("says nothing of a port that the command line has replaced", async () => {
    const { rewrite, reload, end } = await served("--port", "0");
    rewrite(configJson({ apiToken: TOKEN, listen: { host: "127.0.0.1", port: 1 } }));
    expect(await reload()).toMatchObject({ code: 0, err: [] });
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
      "postrider: nothing of the config was changed",
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

  it("says what became of the certificate, and has status 1 if it was refused", async () => {
    const answer = (certificate: unknown) => ({ sources: 1, destinations: 1, needsRestart: [], certificate });
    const RELOADED = "reloaded: 1 source, 1 destination";
    const reloadOf = async (body: object, status = 200) => {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(status).end(JSON.stringify(body));
      });
      const url = `http://127.0.0.1:${String(await listen(server))}`;
      onTestFinished(() => close(server));
      return run(["reload", "--url", url, "--token", TOKEN]);
    };
    expect(await reloadOf(answer("replaced"))).toEqual({ code: 0, out: [RELOADED, "certificate: replaced"], err: [] });
    expect(await reloadOf(answer("unchanged"))).toEqual({
      code: 0,
      out: [RELOADED, "certificate: unchanged"],
      err: [],
    });
    expect(await reloadOf(answer(null))).toEqual({ code: 0, out: [RELOADED], err: [] });
    const kept = "postrider: the certificate was refused, and the one in use is kept: tls.key has no private key";
    const certificate = { refused: "tls.key has no private key" };
    expect(await reloadOf(answer(certificate))).toEqual({ code: 1, out: [RELOADED], err: [kept] });
    const problems = [{ code: "missing", path: "sources[0].id", expected: "an id" }];
    expect(await reloadOf({ problems, more: 1, certificate }, 422)).toEqual({
      code: 2,
      out: [],
      err: [
        "sources[0].id: expected an id (missing)",
        "1 more problem is not shown",
        "postrider: nothing of the config was changed",
        kept,
      ],
    });
    expect((await reloadOf({ problems, more: 0, certificate: "replaced" }, 422)).out).toEqual([
      "certificate: replaced",
    ]);
  });
});
