import { readFileSync } from "node:fs";
import { type Body, type EndpointId, endpointId } from "@postrider/core";
import { buildRequest } from "@postrider/core/engine";
import { createFetchHttp, FETCH_LIMITS } from "@postrider/fetch";
import { createSystemClock } from "@postrider/system";
import { expect, it } from "vitest";
import { serving } from "../http/serving.js";

it("the README shows the same parts as the manifest", () => {
  const readme = readFileSync(new URL("../../packages/fetch/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, part, reason]) => [part, { reason }]);
  const limits = Object.entries(FETCH_LIMITS).map(([part, { reason }]) => [part, { reason }]);
  expect(rows).toEqual(limits);
});

it("Node's fetch adds the headers that the manifest names, and no other, to a request of core's", async () => {
  const seen: ReadonlyMap<string, string>[] = [];
  const listen = (headers: ReadonlyMap<string, string>): Promise<{ status: number; headers: []; body: string }> => {
    seen.push(headers);
    return Promise.resolve({ status: 200, headers: [], body: "" });
  };
  await serving(
    ({ headers }) => listen(headers),
    async ({ url }) => {
      const to = { endpoint: `${url}/hook` as EndpointId, headers: [], secrets: [], timeoutMs: 60_000 };
      const request = buildRequest(new TextEncoder().encode("{}") as Body, to);
      await createFetchHttp({ clock: createSystemClock() }).send(request);
      const given = request.headers.map(([name]) => name.toLowerCase());
      const known = new Set([...given, "host", "connection", "content-length"]);
      const added = [...(seen[0]?.keys() ?? [])].filter((name) => !known.has(name));
      expect(added.sort()).toEqual(["accept-language", "sec-fetch-mode"]);
      for (const name of added) expect(FETCH_LIMITS.exactHeaders.reason.toLowerCase()).toContain(name);
      expect(seen[0]?.get("accept")).toBe("*/*");
    },
  );
});

it("Node's fetch sends a request once more after a 421, and hides a 407, as the manifest says", async () => {
  const seen: string[] = [];
  await serving(
    async ({ path }) => {
      seen.push(path);
      return { status: Number(path.slice(1)), headers: [], body: "" };
    },
    async ({ url }) => {
      const http = createFetchHttp({ clock: createSystemClock() });
      const post = { headers: [], body: new TextEncoder().encode("{}"), timeoutMs: 60_000 };
      const replies = [];
      for (const status of [407, 421])
        replies.push(await http.send({ ...post, url: endpointId(`${url}/${String(status)}`) }));
      expect(replies).toMatchObject([{ kind: "silent", fault: "network" }, { status: 421 }]);
    },
  );
  expect(seen).toEqual(["/407", "/421", "/421"]);
});
