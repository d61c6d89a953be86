// A probe of endpoints that are not in force, on a real server: it says no more than a delivery would.

import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { configJson } from "../config-file.js";
import { receiverOf, serverOf } from "../server.js";

interface Finding {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
}

async function probe(server: string, url: string): Promise<Finding | undefined> {
  const destination = { id: "crm", sources: ["website"], endpoints: [{ url }] };
  const writeKey = `sha256:${createHash("sha256").update(WRITE_KEY).digest("hex")}`;
  const settings = { sources: [{ id: "website", writeKey }], destinations: [destination] };
  const response = await fetch(`${server}/api/settings/probe`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ settings, destination: "crm" }),
  });
  const body = (await response.json()) as { readonly findings?: readonly Finding[] };
  return body.findings?.[0];
}

it("finds a receiver, and never the server itself, which no delivery reaches; each probe is logged", async () => {
  const receiver = await receiverOf();
  const { server, log } = await serverOf(configJson({ apiToken: TOKEN, network: { allow: ["127.0.0.0/8", "::1"] } }));
  expect(await probe(server.url, receiver.url)).toMatchObject({ kind: "ok", code: "reachable" });
  expect(await probe(server.url, `${server.url}/v1/track`)).toEqual({
    kind: "fault",
    code: "forbidden-address",
    path: "destinations[0].endpoints[0].url",
    message: `${server.url} is where this server listens, and it never calls itself`,
    change: null,
  });
  expect(log.filter(({ code }) => code === "endpoints-probed").map(({ detail }) => detail)).toEqual([
    receiver.url,
    server.url,
  ]);
});

it("names the address of a URL that has it, and none to which a name leads", async () => {
  const { server } = await serverOf(configJson({ apiToken: TOKEN, network: {} }));
  expect((await probe(server.url, "http://10.1.2.3/"))?.message).toContain("leads to 10.1.2.3, which may not");
  const named = await probe(server.url, "http://localhost:1/");
  expect(named?.code).toBe("forbidden-address");
  expect(named?.message).not.toMatch(/127|::1/);
});
