// No config file ends a running server, or makes the command that checks it crash: any content is either valid or refused,
// with a message and status 2.

import { jsonValues, nastyKeys } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configJson, tempFolder, writeConfig } from "../config-file.js";
import { run, start } from "../test-host.js";
import { track } from "../server.js";

const DEEP = 20_000;
const MANY = 20_000;

function nested(open: string, close: string): string {
  return open.repeat(DEEP) + close.repeat(DEEP);
}

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ["lists, 20,000 levels deep, under a key", `{"x":${nested("[", "]")}}`],
  ["lists, 20,000 levels deep", nested("[", "]")],
  ["objects, 20,000 levels deep", nested('{"x":', "}").replace(/:\}/, ":1}")],
  ["20,000 levels in the headers of an endpoint", deepHeaders()],
  ["20,000 levels that are not closed", "[".repeat(DEEP)],
  ["20,000 unknown keys", JSON.stringify(Object.fromEntries(numbered((nth) => [`k${nth}`, 1])))],
  ["20,000 destinations that are none", JSON.stringify({ destinations: numbered(() => 1) })],
  ["20,000 headers of one endpoint", manyHeaders()],
  ["20,000 references that lead nowhere", JSON.stringify({ x: numbered(() => "env:NOWHERE") })],
  ["a prototype", '{"__proto__":{"sources":[]},"sources":{"__proto__":[]},"constructor":1}'],
  ["a number beyond all", '{"listen":{"port":1e999}}'],
  ["nothing", ""],
  ["a zero byte", "\u0000"],
  ["the text null", "null"],
];

function numbered<T>(item: (nth: string) => T): readonly T[] {
  return Array.from({ length: MANY }, (_, nth) => item(String(nth)));
}

function deepHeaders(): string {
  const text = JSON.stringify(
    configJson({
      destinations: [{ id: "d", sources: [], endpoints: [{ url: "https://a.example", headers: "HERE" }] }],
    }),
  );
  return text.replace('"HERE"', nested("[", "]"));
}

function manyHeaders(): string {
  const headers = Object.fromEntries(numbered((nth) => [`X-${nth}`, "1"]));
  return JSON.stringify(
    configJson({ destinations: [{ id: "d", sources: [], endpoints: [{ url: "https://a.example", headers }] }] }),
  );
}

/** A config with one part replaced by an arbitrary value. */
function spoilt(): fc.Arbitrary<string> {
  const keys = fc.oneof(
    fc.constantFrom("sources", "destinations", "delivery", "retention", "network", "listen"),
    nastyKeys(),
  );
  return fc.tuple(keys, jsonValues()).map(([key, value]) => JSON.stringify({ ...configJson(), [key]: value }));
}

async function check(document: string) {
  return run(["check", "--config", writeConfig(document)]);
}

/** The last line of a refusal. */
const CODES = expect.stringContaining("what each code means: ") as string;

describe("a config that contains", () => {
  it.each(DOCUMENTS)("%s is refused by `check` with status 2 and a short message", async (_, document) => {
    const { code, out, err } = await check(document);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err.length).toBeGreaterThan(0);
    expect(err.length).toBeLessThanOrEqual(202);
  });

  it("an arbitrary value in place of a part is accepted or refused, and never causes a crash", async () => {
    await fc.assert(
      fc.asyncProperty(spoilt(), async (document) => {
        const { code, err } = await check(document);
        expect(code).toBe(err.every((line) => /^(?:warning|note): /.test(line)) ? 0 : 2);
      }),
    );
  });

  it("an endless text is read only up to a bound", async () => {
    const file = join(tempFolder(), "postrider.json");
    symlinkSync("/dev/zero", file);
    expect(await run(["check", "--config", file])).toMatchObject({
      code: 2,
      err: [expect.stringContaining("unreadable"), CODES],
    });
    const secret = writeConfig(configJson({ apiToken: "file:/dev/zero" }));
    expect(await run(["check", "--config", secret])).toMatchObject({
      code: 2,
      err: [expect.stringContaining("apiToken"), CODES],
    });
  });
});

describe("a server that reads", () => {
  it("such configs anew changes nothing, logs each, and goes on", async () => {
    const folder = tempFolder();
    const file = writeConfig(configJson(), folder);
    const { host, url, ended } = await start(["serve", "--config", file]);
    for (const [, document] of DOCUMENTS) {
      writeConfig(document, folder);
      const before = host.lines.err.length;
      host.signal("SIGHUP");
      // Deliveries continue, and are logged.
      const refused = { level: "error", code: "config-refused" };
      const logged = (): readonly unknown[] => host.lines.err.slice(before).map((line) => JSON.parse(line) as unknown);
      await expect.poll(logged).toContainEqual(expect.objectContaining(refused));
      // A connection that was idle while a large document was read may be closed just then.
      const called = (): Promise<number> =>
        track(url).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(called).toBe(200);
    }
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
  });
});

describe("`postrider send`", () => {
  it("refuses properties that are nested too deeply, with status 2", async () => {
    const words = ["send", "--url", "http://127.0.0.1:9", "--write-key", "wk", "track", "--properties"];
    expect((await run([...words, `{"x":${nested("[", "]")}}`])).code).toBe(2);
  });
});
