// Where references in the settings of a store lead: to what the config of a server lists, and to none of the secrets of the server itself.

import type { ServerSettings } from "@postrider/relay/settings";
import { createSecret } from "@postrider/core";
import { runSteps } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { SECRET, TOKEN } from "../../canary.js";
import { documentReferences, readDocumentInSteps } from "../../../packages/postrider/src/config/read-document.js";

const URL_OF_STORE = "postgres://ann:p%40ss-of-the-db@db.example/prod?password=another-password";
const KEY_OF_TLS = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n";

function serverWith(settingsReferences?: readonly string[]): ServerSettings {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    store: { kind: "postgres", url: createSecret(URL_OF_STORE) },
    settings: "store",
    console: true,
    senderThread: false,
    network: { allow: [], ca: [], maxConnectionAgeMs: 30_000 },
    metricsToken: createSecret(TOKEN),
    ...(settingsReferences === undefined ? {} : { settingsReferences }),
  };
}

/** The problems of a document whose shared secret is this reference, on a server with this variable. */
function problemsOf(reference: string, server: ServerSettings, value = SECRET): readonly string[] {
  const env = (name: string): string | undefined => (name.startsWith("POSTRIDER_") ? value : undefined);
  const base = { folder: "/none", env, guarded: () => [createSecret(KEY_OF_TLS)] };
  const document = {
    sources: [{ id: "web", writeKey: `sha256:${"0a".repeat(32)}` }],
    destinations: [
      { id: "crm", sources: ["web"], endpoints: [{ url: "https://a.example/" }], sharedSecret: reference },
    ],
  };
  const read = runSteps(
    readDocumentInSteps(
      document,
      documentReferences(base, () => server),
    ),
  );
  return read.kind === "ok" ? [] : read.problems.map(({ code, path }) => `${code} ${path}`);
}

const AT = "destinations[0].sharedSecret";

describe("a reference in the settings of a store", () => {
  it.each([
    [["POSTRIDER_CRM"], "env:POSTRIDER_CRM"],
    [["POSTRIDER_HOOK_*"], "env:POSTRIDER_HOOK_CRM"],
    [["secrets/crm", "POSTRIDER_*"], "env:POSTRIDER_X"],
  ])("leads to what the config lists, as %j has %s", (listed, reference) => {
    expect(problemsOf(reference, serverWith(listed))).toEqual([]);
  });

  it.each([
    [undefined, "env:POSTRIDER_CRM"],
    [[], "env:POSTRIDER_CRM"],
    [["POSTRIDER_CRM"], "env:POSTRIDER_CRM_2"],
    [["POSTRIDER_HOOK_*"], "env:POSTRIDER_CRM"],
    [["POSTRIDER_CRM", "secrets/crm"], "file:secrets/crm2"],
    [["secrets/*"], "file:postrider-secrets/crm"],
  ])("leads nowhere else: %j has no %s", (listed, reference) => {
    expect(problemsOf(reference, serverWith(listed))).toEqual([`bad-reference ${AT}`]);
  });

  it.each([
    ["the URL of the store", URL_OF_STORE],
    ["a text with that URL in it", `DATABASE_URL=${URL_OF_STORE}`],
    ["the password of the store as its URL has it", "p%40ss-of-the-db"],
    ["the password of the store", "p@ss-of-the-db\n"],
    ["a password in the query of that URL", "another-password"],
    ["the token of the metrics", TOKEN],
    ["a header with that token", `Bearer ${TOKEN}`],
    ["the private key of the certificate", KEY_OF_TLS.trim()],
    ["a bundle with that key", `-----BEGIN CERTIFICATE-----\nMIID\n${KEY_OF_TLS}`],
  ])("never leads to %s", (_, value) => {
    expect(problemsOf("env:POSTRIDER_CRM", serverWith(["POSTRIDER_CRM"]), value)).toEqual([`missing ${AT}`]);
  });
});
