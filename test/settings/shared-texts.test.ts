// Which texts of settings may stand in a store that many servers read, and which references may.

import {
  findUnsharedTextsInSteps,
  HIDDEN_TEXT,
  hideSecretTextsInSteps,
  isSealed,
  mapSecretTextsInSteps,
  type SecretPlace,
} from "@postrider/relay/settings";
import { runSteps } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const DIGEST = `sha256:${"0a".repeat(32)}`;
const SEALED = `sealed:${"Ab-_9".repeat(8)}`;
const REFERENCES = [
  "env:POSTRIDER_KEY",
  "file:secrets/crm",
  "file:postrider-secrets/crm",
  "file:./secrets/crm.2026-01_key",
];

function found(document: unknown): readonly string[] {
  return runSteps(findUnsharedTextsInSteps(document)).map(({ path, code }) => `${path} ${code}`);
}

function hidden(document: unknown): unknown {
  return runSteps(hideSecretTextsInSteps(document));
}

function destination(more: object) {
  return { destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url: "https://a.example/" }], ...more }] };
}

function headed(text: string, name = "Authorization") {
  return { url: "https://a.example/", headers: { [name]: text } };
}

/** A document with a text at each place where a secret may stand, and the path of that place. */
const SECRET_PLACES: readonly (readonly [path: string, document: (text: string) => object])[] = [
  ["sources[0].writeKey", (text) => ({ sources: [{ id: "a", writeKey: text }] })],
  ["destinations[0].sharedSecret", (text) => destination({ sharedSecret: text })],
  ["destinations[0].sharedSecret[1]", (text) => destination({ sharedSecret: [REFERENCES[0], text] })],
  ["destinations[0].endpoints[0].headers.Authorization", (text) => destination({ endpoints: [headed(text)] })],
  ["destinations[0].endpoints[0].headers.url", (text) => destination({ endpoints: [headed(text, "url")] })],
  ["notify[0].sharedSecret", (text) => ({ notify: [{ url: "https://a.example/", sharedSecret: text }] })],
  ["notify[0].headers.Authorization", (text) => ({ notify: [headed(text)] })],
];

describe("a document of settings for a store", () => {
  it.each(SECRET_PLACES)("has no plain text at %s, and is shown without it", (path, document) => {
    for (const plain of ["a plain secret", "", "sha256:", "ENV:POSTRIDER_KEY", " env:POSTRIDER_KEY"]) {
      expect(found(document(plain))).toEqual([`${path} plain-secret`]);
      expect(hidden(document(plain))).toEqual(document(HIDDEN_TEXT));
    }
  });

  it.each(SECRET_PLACES)("may have a reference at %s that is meant for it, and no other", (path, document) => {
    for (const reference of REFERENCES) {
      expect(found(document(reference))).toEqual([]);
      expect(hidden(document(reference))).toEqual(document(reference));
    }
    const others = [
      "env:AWS_SECRET_ACCESS_KEY",
      "env:POSTRIDER_",
      "file:/etc/passwd",
      "file:secrets/../postrider.json",
    ];
    for (const other of [...others, "file:secrets/..", "file:postrider.json", "file:secrets/a/b", "env:", "file:"])
      expect(found(document(other)), other).toEqual([`${path} bad-reference`]);
  });

  it("may have the digest of a write key, which is no secret of a receiver", () => {
    const document = { sources: [{ id: "a", writeKey: DIGEST }] };
    expect(found(document)).toEqual([]);
    expect(hidden(document)).toEqual(document);
    expect(found(destination({ sharedSecret: DIGEST }))).toEqual(["destinations[0].sharedSecret plain-secret"]);
  });

  it("has no query in a URL, and may have a reference to one", () => {
    const path = "destinations[0].endpoints[0].url";
    const withUrl = (url: string) => destination({ endpoints: [{ url }] });
    expect(found(withUrl("https://a.example/hook?key=1"))).toEqual([`${path} plain-secret`]);
    expect(hidden(withUrl("https://a.example/hook?key=1"))).toEqual(withUrl(HIDDEN_TEXT));
    expect(found(withUrl("https://a.example/hook"))).toEqual([]);
    expect(found(withUrl("env:POSTRIDER_URL"))).toEqual([]);
  });

  it("has references nowhere else: a name would show what they lead to", () => {
    expect(found(destination({ name: "env:POSTRIDER_KEY" }))).toEqual(["destinations[0].name bad-reference"]);
    expect(found({ sources: [{ id: "file:secrets/a", writeKey: DIGEST }] })).toEqual(["sources[0].id bad-reference"]);
    expect(found({ elsewhere: "env:POSTRIDER_KEY" })).toEqual(["elsewhere bad-reference"]);
  });

  it("may have sealed texts in place of secrets and URLs, and not of write keys", () => {
    for (const [path, document] of SECRET_PLACES) {
      expect(found(document(SEALED))).toEqual(path === "sources[0].writeKey" ? [`${path} bad-reference`] : []);
      expect(hidden(document(SEALED))).toEqual(document(SEALED));
    }
    const withUrl = destination({ endpoints: [{ url: SEALED }] });
    expect([found(withUrl), hidden(withUrl)]).toEqual([[], withUrl]);
    expect(found(destination({ name: SEALED }))).toEqual(["destinations[0].name bad-reference"]);
  });

  it.each([`sealed:${"a".repeat(37)}`, `${SEALED}.`, `sealed:${"!".repeat(40)}`, ` ${SEALED}`])(
    "takes what only looks sealed for a plain text: %s",
    (text) => {
      expect([isSealed(SEALED), isSealed(text)]).toEqual([true, false]);
      expect(found(destination({ sharedSecret: text }))).toEqual(["destinations[0].sharedSecret plain-secret"]);
    },
  );

  it("has all problems at once, with what to write instead and no value", () => {
    const document = { ...destination({ sharedSecret: "a-value" }), sources: [{ id: "a", writeKey: "a-value" }] };
    const problems = runSteps(findUnsharedTextsInSteps(document));
    expect(problems.map(({ path }) => path)).toEqual(["destinations[0].sharedSecret", "sources[0].writeKey"]);
    expect(problems.map(({ expected }) => /env:POSTRIDER_NAME/.test(expected))).toEqual([true, true]);
    expect(JSON.stringify(problems)).not.toContain("a-value");
  });

  it.each([[null], [7], ["text"], [[]], [{ sources: 7, destinations: [null, 7, [[]]] }]])(
    "may be of any shape: %j",
    (value) => {
      expect(found(value)).toEqual([]);
      expect(hidden(value)).toEqual(value);
    },
  );
});

describe("the secret texts of a document, as they are sealed and opened", () => {
  function mapped(document: unknown) {
    const places: SecretPlace[] = [];
    const value = runSteps(
      mapSecretTextsInSteps(document, (text, place) => {
        places.push(place);
        return `${text}!`;
      }),
    );
    return { value, places };
  }

  it.each(["plain", SEALED])("are those that stand there as %s, each with its use and its owner", (text) => {
    const url = `https://a.example/?key=${text}`;
    const written = (one: string, other: string) => ({
      destinations: [
        { id: "crm", sharedSecret: [one], endpoints: [{ url: other, headers: { Authorization: one } }] },
        { sharedSecret: one },
      ],
      notify: [{ sharedSecret: one }],
    });
    const { value, places } = mapped(written(text, url));
    expect(value).toEqual(written(`${text}!`, `${url}!`));
    expect(places).toEqual([
      { path: "destinations[0].sharedSecret[0]", kind: "secret", owner: "destinations crm" },
      { path: "destinations[0].endpoints[0].url", kind: "url", owner: "destinations crm" },
      { path: "destinations[0].endpoints[0].headers.Authorization", kind: "header", owner: "destinations crm" },
      { path: "destinations[1].sharedSecret", kind: "secret", owner: "destinations" },
      { path: "notify[0].sharedSecret", kind: "secret", owner: "notify" },
    ]);
  });

  it("are no write keys, no references, no URLs without a query and no other texts", () => {
    const sources = ["wk", DIGEST, SEALED, REFERENCES[0]].map((writeKey) => ({ id: "a", writeKey, name: "A" }));
    const destinations = REFERENCES.map((sharedSecret) => ({
      ...{ id: "crm", name: "secret", sharedSecret },
      endpoints: [{ url: "https://a.example/" }, { url: sharedSecret, headers: { Authorization: sharedSecret } }],
    }));
    expect(mapped({ sources, destinations })).toEqual({ value: { sources, destinations }, places: [] });
  });
});
