// Plays the settings of the corpus: URLs, headers and secrets of a config, each as one destination. Accepted ones must lead
// to requests that contain them byte for byte.

import { createHmac } from "node:crypto";
import { decodeConfig } from "@postrider/relay/settings";
import type { Problem, Workspace } from "@postrider/core";
import type { SentRequest } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { CANARY, readCorpus, SETTINGS_FILES, type SettingsCase } from "./corpus.js";
import { valueOf } from "./parts.js";
import { openWorldOf, soundMessage, WEBSITE } from "./world.js";

/** The headers that every request has, except for a signature. */
const FIXED = ["User-Agent", "Content-Type", "Accept-Encoding"];

/** The URL parser of Node 24 takes a host in ASCII whose Punycode says nothing; no such name can be resolved. */
const NOT_REFUSED = URL.canParse("http://xn--/") ? ['the host "xn--"'] : [];

describe.each(SETTINGS_FILES)("the corpus: %s", (file) => {
  const cases = readCorpus<SettingsCase>(file).cases.filter(({ name }) => !NOT_REFUSED.includes(name));

  it.each(cases)("$name", async (one) => {
    const decoded = decodeConfig(configOf(one));
    if (decoded.kind === "refused") {
      expectProblems(decoded.problems, one);
      return;
    }
    expect(one.expect.problems).toEqual([]);
    expectRequests(await deliver(decoded.value.workspace), one);
  });
});

function configOf({ endpoints, headers, sharedSecret }: SettingsCase): unknown {
  const asObject = headers === undefined ? {} : { headers: Object.fromEntries(pairsOf(headers)) };
  return {
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: [
      {
        id: "crm",
        sources: ["website"],
        endpoints: endpoints === undefined ? [{ url: "https://example.com/hook", ...asObject }] : valueOf(endpoints),
        ...(sharedSecret === undefined ? {} : { sharedSecret: valueOf(sharedSecret) }),
      },
    ],
  };
}

function pairsOf(headers: NonNullable<SettingsCase["headers"]>): readonly (readonly [string, unknown])[] {
  return headers.map(([name, value]) => [String(valueOf(name)), valueOf(value)]);
}

function expectProblems(problems: readonly Problem[], { expect: { problems: expected } }: SettingsCase): void {
  expect(problems.map(({ code, path }) => ({ code, path }))).toEqual(expected);
  expect(JSON.stringify(problems)).not.toContain(CANARY);
}

/** The requests for one call: one at each endpoint. */
async function deliver(workspace: Workspace): Promise<readonly SentRequest[]> {
  const world = openWorldOf(workspace);
  const call = { type: "track", userId: "u1", event: "e" };
  const receipts = (await world.relay().accept({ source: WEBSITE, calls: [call] }))._unsafeUnwrap();
  expect(receipts).toMatchObject([{ kind: "accepted" }]);
  await world.advance(1_000);
  expect((await world.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 1, delivered: 1 });
  return world.received();
}

function expectRequests(requests: readonly SentRequest[], one: SettingsCase): void {
  const urls = one.expect.endpoints?.map((url) => valueOf(url)) ?? ["https://example.com/hook"];
  expect(requests.map(({ url }) => url)).toEqual(urls);
  for (const { headers, body } of requests) {
    soundMessage(body);
    const signature = signatureOf(one, body);
    const given = pairsOf(one.headers ?? []);
    const fixed = given.some(([name]) => name.toLowerCase() === "accept") ? FIXED : [...FIXED, "Accept"];
    const names = signature === undefined ? fixed : [...fixed, "X-Signature"];
    expect(headers.slice(0, names.length).map(([name]) => name)).toEqual(names);
    if (signature !== undefined) expect(headers[fixed.length]).toEqual(["X-Signature", signature]);
    expect(headers.slice(names.length)).toEqual(given);
  }
}

/** Computed here independently, keyed with the UTF-8 bytes of the newest secret. */
function signatureOf({ sharedSecret }: SettingsCase, body: Uint8Array): string | undefined {
  const newest: unknown = [valueOf(sharedSecret) ?? []].flat()[0];
  if (typeof newest !== "string") return undefined;
  return createHmac("sha1", Buffer.from(newest, "utf8")).update(body).digest("hex");
}
