import { describe, expect, it } from "vitest";
import { TOKEN } from "../../canary.js";
import { configJson } from "../config-file.js";
import { configOf, serverOf } from "../server.js";

const HEADERS = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

async function statusOf(url: string): Promise<number> {
  return (await fetch(url, { redirect: "manual" })).status;
}

describe("the console of a server", () => {
  it("is at /console, to which / leads, and logs in by an address that the server gives", async () => {
    const { server, log } = await serverOf(configJson({ apiToken: TOKEN }));
    const root = await fetch(server.url, { redirect: "manual" });
    expect([root.status, root.headers.get("location")]).toEqual([302, "/console/"]);
    expect(await (await fetch(server.url)).text()).toContain('<base href="/console/">');
    const [page, code] = server.consoleUrl()!.split("#login=");
    expect(page).toBe(`${server.url}/console/`);
    const login = await post(`${page}session`, { code }, { origin: server.url });
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    const paused = await post(`${page}api/lanes/crm/pause`, {}, { cookie });
    expect(paused.status).toBe(200);
    expect(log.filter(({ code }) => code === "console-action")).toMatchObject([
      { level: "info", detail: "operator: POST /api/lanes/crm/pause, answered 200" },
    ]);
  });

  it.each([{}, { apiToken: TOKEN, console: false }])("is not there with %j in the config", async (json) => {
    const { server } = await serverOf(configJson(json));
    expect(server.consoleUrl()).toBeUndefined();
    for (const path of ["/", "/console", "/console/", "/console/session", "/console/api/lanes"])
      expect(await statusOf(server.url + path), path).toBe(404);
  });

  it("comes and goes with a reload, which also ends its sessions", async () => {
    const { server } = await serverOf(configJson({ apiToken: TOKEN }));
    const [page, code] = server.consoleUrl()!.split("#login=");
    const login = await post(`${page}session`, { code }, { origin: server.url });
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    const status = async (): Promise<number> => (await fetch(`${page}api/lanes`, { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    expect(server.configure(configOf(configJson({ apiToken: TOKEN, console: false })))).toEqual([]);
    expect(await status()).toBe(404);
    expect(server.configure(configOf(configJson({ apiToken: `${TOKEN}-new` })))).toEqual([]);
    expect(await status()).toBe(401);
  });

  it("tells of wrong tokens as the API does", async () => {
    const { server, log } = await serverOf(configJson({ apiToken: TOKEN }));
    const login = await post(`${server.url}/console/session`, { token: "wrong" }, { origin: server.url });
    expect(login.status).toBe(401);
    expect(log.map(({ code }) => code)).toContain("wrong-api-token");
  });
});

function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });
}
