// A page of another origin, in a browser that has the cookie of the console and sends it: the origin differs by its port alone, so that
// the cookie counts as of the same site. What ingest allows to every page must open nothing else of the same server.

import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { describeInBrowser } from "../../client/browser/browser.js";
import { close, listen } from "../../loopback.js";
import { openConsole, type Console } from "./open-console.js";

const GUARDED = [
  "/console/",
  "/console/api/deliveries",
  "/console/api/settings",
  "/console/session",
  "/api/deliveries",
  "/api/stats",
  "/api/openapi.json",
  "/metrics",
  "/healthz",
];

/** A page without content, from another server. */
async function openElsewhere({ context }: Console): Promise<Page> {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"));
  const port = await listen(server);
  onTestFinished(() => close(server));
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${String(port)}/`);
  return page;
}

/** What the page reads of each path: a status and a body, or `unread`. */
function readAll(page: Page, base: string, asked: object): Promise<readonly string[]> {
  return page.evaluate(
    ([urls, init]) =>
      Promise.all(
        urls.map((url) =>
          fetch(url, { credentials: "include", ...init }).then(
            async (response) => `${String(response.status)} ${await response.text()}`,
            () => "unread",
          ),
        ),
      ),
    [GUARDED.map((path) => base + path), asked] as const,
  );
}

async function accepted({ server }: Console): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/stats`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return ((await answer.json()) as { readonly accepted: unknown }).accepted;
}

describeInBrowser("a page of another origin with the cookie of the console", (browser) => {
  it("reads nothing of the console, the API or the rest of the server", async () => {
    const rig = await openConsole(browser());
    await (await rig.enter()).waitForLoadState();
    expect(await rig.context.cookies()).toHaveLength(1);
    const page = await openElsewhere(rig);
    for (const asked of [{}, { headers: { "x-any": "1" } }, { method: "POST", body: "{}" }, { method: "DELETE" }]) {
      expect(await readAll(page, rig.server.url, asked)).toEqual(GUARDED.map(() => "unread"));
    }
  });

  it("sends beacons of JSON and of text, and reads the answers to its own calls", async () => {
    const rig = await openConsole(browser());
    await rig.enter();
    const page = await openElsewhere(rig);
    const body = (event: string): string =>
      JSON.stringify({ writeKey: WRITE_KEY, batch: [{ type: "track", userId: "u1", event, messageId: event }] });
    const send = (url: string, type: string, event: string): Promise<boolean> =>
      page.evaluate(([to, text, kind]) => navigator.sendBeacon(to, new Blob([text], { type: kind })), [
        rig.server.url + url,
        body(event),
        type,
      ] as const);
    expect(await send("/v1/b", "application/json", "json")).toBe(true);
    expect(await send("/v1/batch", "text/plain", "text")).toBe(true);
    await expect.poll(() => accepted(rig)).toBe(2);
    const read = await page.evaluate(
      async ([url, text]) => {
        const headers = { "content-type": "application/json", "x-of-the-page": "1" };
        return (await fetch(url, { method: "POST", credentials: "include", headers, body: text })).text();
      },
      [`${rig.server.url}/v1/batch`, body("read")] as const,
    );
    expect(JSON.parse(read)).toMatchObject({ success: true, accepted: 1 });
  });
});
