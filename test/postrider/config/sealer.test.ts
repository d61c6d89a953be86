// Secrets in settings of a store: what seals them, what opens them, and where they may stand.

import { createSecret } from "@postrider/core";
import { runSteps } from "@postrider/core/engine";
import { createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OLD_SECRET, SECRET } from "../../canary.js";
import {
  openText,
  sealText,
  type DocumentReferences,
  readDocumentInSteps,
  sealDocumentInSteps,
} from "../../../packages/postrider/src/config/read-document.js";

const KEY = createSecret("a sealing key of the servers");
const OTHER_KEY = createSecret("another key of other servers");
const PLACE = { kind: "header", owner: "destinations crm" } as const;
const random = createSeededRandom(3);

const texts = fc.string({ unit: "binary", maxLength: 200 });

describe("a sealed text", () => {
  it("is opened with its key at its place, and is another one each time", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [one, other] = [sealText(text, PLACE, KEY, random), sealText(text, PLACE, KEY, random)];
        expect(one).not.toBe(other);
        for (const sealed of [one, other]) expect(openText(sealed, PLACE, [OTHER_KEY, KEY])).toBe(text);
      }),
    );
  });

  it("is opened with no other key, at no other place, and not once a character of it was changed", () => {
    const sealed = sealText(SECRET, PLACE, KEY, random);
    expect(openText(sealed, PLACE, [OTHER_KEY])).toBeUndefined();
    expect(openText(sealed, PLACE, [])).toBeUndefined();
    expect(openText(sealed, { ...PLACE, kind: "secret" }, [KEY])).toBeUndefined();
    expect(openText(sealed, { ...PLACE, owner: "destinations mail" }, [KEY])).toBeUndefined();
    fc.assert(
      fc.property(
        fc.integer({ min: "sealed:".length, max: sealed.length - 2 }),
        fc.constantFrom("A", "B"),
        (at, to) => {
          const changed = sealed.slice(0, at) + to + sealed.slice(at + 1);
          fc.pre(changed !== sealed);
          expect(openText(changed, PLACE, [KEY])).toBeUndefined();
        },
      ),
    );
  });

  it.each(["", "sealed:", "sealed:AAAA", "plain", "env:POSTRIDER_KEY"])("is not %j", (text) => {
    expect(openText(text, PLACE, [KEY])).toBeUndefined();
  });
});

function documentWith(destination: object): object {
  return {
    sources: [{ id: "web", writeKey: `sha256:${"0a".repeat(32)}` }],
    destinations: [{ id: "crm", sources: ["web"], endpoints: [{ url: "https://a.example/hook" }], ...destination }],
  };
}

const SECRETS = documentWith({
  sharedSecret: [SECRET, OLD_SECRET],
  endpoints: [{ url: "https://a.example/hook?key=1", headers: { Authorization: SECRET, "X-Id": "env:POSTRIDER_ID" } }],
});

function references(
  keys: DocumentReferences["sealingKeys"],
  env: Readonly<Record<string, string>> = {},
): DocumentReferences {
  return { folder: "/none", env: (name) => env[name], ...(keys === undefined ? {} : { sealingKeys: keys }) };
}

function seal(document: unknown): unknown {
  return runSteps(
    sealDocumentInSteps(
      document,
      references(() => [KEY]),
      random,
    ),
  );
}

describe("a document of settings", () => {
  it("has no plain secret once it is sealed, and is what it was once it is opened", () => {
    const sealed = seal(SECRETS);
    const text = JSON.stringify(sealed);
    for (const plain of [SECRET, OLD_SECRET, "key=1"]) expect(text).not.toContain(plain);
    expect(text).toContain("env:POSTRIDER_ID");
    expect(text).toContain("sha256:");
    expect(seal(sealed)).toEqual(sealed);
    const read = runSteps(
      readDocumentInSteps(
        sealed,
        references(() => [KEY], { POSTRIDER_ID: "7" }),
      ),
    );
    if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
    const [crm] = read.value.destinations;
    expect(crm?.secrets.map((secret) => secret.reveal())).toEqual([SECRET, OLD_SECRET]);
    expect(crm?.endpoints[0]?.url).toBe("https://a.example/hook?key=1");
    expect(crm?.endpoints[0]?.headers.map(([, value]) => (typeof value === "string" ? value : value.reveal()))).toEqual(
      [SECRET, "7"],
    );
  });

  it("is not sealed without a key, and its plain secrets are refused as before", () => {
    for (const none of [references(undefined), references(() => undefined), references(() => [])])
      expect(runSteps(sealDocumentInSteps(SECRETS, none, random))).toBe(SECRETS);
    const read = runSteps(readDocumentInSteps(SECRETS, references(undefined, { POSTRIDER_ID: "7" })));
    expect(read).toMatchObject({
      kind: "refused",
      problems: Array.from({ length: 4 }, () => ({ code: "plain-secret" })),
    });
  });

  it("that another key has sealed is refused at each place of a secret", () => {
    const read = runSteps(
      readDocumentInSteps(
        seal(documentWith({ sharedSecret: SECRET })),
        references(() => [OTHER_KEY]),
      ),
    );
    const problem = { code: "missing", path: "destinations[0].sharedSecret" };
    expect(read).toMatchObject({ kind: "refused", problems: [problem] });
    expect(JSON.stringify(read)).not.toContain("sealed:");
  });

  it("whose sealed text was moved to another destination or another purpose is refused", () => {
    const sealed = seal(documentWith({ sharedSecret: SECRET })) as { destinations: [{ sharedSecret: string }] };
    const [{ sharedSecret }] = sealed.destinations;
    const moved = documentWith({
      endpoints: [{ url: "https://a.example/", headers: { Authorization: sharedSecret } }],
    });
    const renamed = documentWith({ id: "mail", sharedSecret });
    for (const document of [moved, renamed]) {
      const read = runSteps(
        readDocumentInSteps(
          document,
          references(() => [KEY]),
        ),
      );
      expect(read).toMatchObject({ kind: "refused", problems: [{ code: "missing" }] });
    }
  });

  it("has no reference to a token or a key of its server", () => {
    const guarded = { guarded: () => [createSecret(SECRET)] };
    const document = documentWith({ sharedSecret: "env:POSTRIDER_TOKEN" });
    for (const value of [SECRET, `${SECRET}\n`]) {
      const read = runSteps(
        readDocumentInSteps(document, { ...references(undefined, { POSTRIDER_TOKEN: value }), ...guarded }),
      );
      expect(read).toMatchObject({
        kind: "refused",
        problems: [{ code: "missing", path: "destinations[0].sharedSecret" }],
      });
    }
  });

  it("never takes what was sealed for a reference", () => {
    const sealed = seal(documentWith({ sharedSecret: "x" })) as { destinations: [{ sharedSecret: string }] };
    const place = { kind: "secret", owner: "destinations crm" } as const;
    sealed.destinations[0].sharedSecret = sealText("env:HOME", place, KEY, random);
    const read = runSteps(
      readDocumentInSteps(
        sealed,
        references(() => [KEY], { HOME: "leaked" }),
      ),
    );
    if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
    expect(read.value.destinations[0]?.secrets[0]?.reveal()).toBe("env:HOME");
  });

  it.each(["writeKey", "id"])("has no sealed text as %s of a source", (key) => {
    const sealed = sealText(SECRET, PLACE, KEY, random);
    const document = { sources: [{ id: "web", writeKey: `sha256:${"0a".repeat(32)}`, [key]: sealed }] };
    const read = runSteps(
      readDocumentInSteps(
        document,
        references(() => [KEY]),
      ),
    );
    expect(read).toMatchObject({ kind: "refused", problems: [{ code: "bad-reference", path: `sources[0].${key}` }] });
  });
});
