import { DOCS_URL } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { SHOP_KEY, TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson, writeConfig } from "../../config-file.js";
import { run } from "../../test-host.js";

describe("postrider check", () => {
  it("has status 0 for a good config", async () => {
    const file = writeConfig(configJson({ apiToken: TOKEN }));
    expect(await run(["check", "--config", file])).toEqual({ code: 0, out: [`${file} is good`], err: [] });
  });

  it("warns of settings that serve accepts and cannot apply, says what to change, and has status 0", async () => {
    const file = writeConfig(suspicious());
    const at = "destinations[0].endpoints[0].url: http://10.0.0.1/hook?token=*** is not a public address";
    const here = "destinations[1].endpoints[0].url: http://localhost:9/hook is not a public address";
    expect(await run(["check", "--config", file])).toEqual({
      code: 0,
      out: [`${file} is good, with 3 warnings`],
      err: [
        'warning: sources[1]: calls of shop are accepted and delivered nowhere; add "shop" to the "sources" of a destination (unconnected-source)',
        `warning: ${at}, so no connection is made to it; if it is meant, write "network": { "allow": ["10.0.0.1"] } (forbidden-address)`,
        `warning: ${here}, so no connection is made to it; if it is meant, write "network": { "allow": ["127.0.0.0/8", "::1"] } (forbidden-address)`,
        "note: apiToken: there is none, so the API and the commands that use it are off (no-api-token)",
      ],
    });
  });

  it("has status 2 for warnings with --strict, and 0 for notes", async () => {
    expect((await run(["check", "--strict", "--config", writeConfig(suspicious())])).code).toBe(2);
    expect((await run(["check", "--strict", "--config", writeConfig(configJson())])).code).toBe(0);
  });

  it("writes a line of JSON for each finding with --json, and nothing else", async () => {
    const { code, out, err } = await run(["check", "--json", "--config", writeConfig(suspicious())]);
    expect({ code, err, lines: out.length }).toEqual({ code: 0, err: [], lines: 4 });
    expect(JSON.parse(out[0]!)).toEqual({
      kind: "warning",
      code: "unconnected-source",
      path: "sources[1]",
      message: "calls of shop are accepted and delivered nowhere",
      change: 'add "shop" to the "sources" of a destination',
    });
    const refused = await run(["check", "--json", "--config", writeConfig({ store: "redis:" })]);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.out[0]!)).toMatchObject({ kind: "problem", code: "wrong-type", path: "store" });
  });

  it("does not miss sources in a file whose settings are those of the store", async () => {
    const json = configJson({ settings: "store", apiToken: TOKEN, sources: undefined, destinations: undefined });
    const file = writeConfig(json);
    expect(await run(["check", "--config", file])).toEqual({ code: 0, out: [`${file} is good`], err: [] });
  });

  it("has no warning of an address that is allowed, as a name or as an address", async () => {
    const endpoints = [{ url: "http://localhost:9/hook" }, { url: "http://127.0.0.1:9/hook" }];
    const destinations = [{ id: "crm", sources: ["website"], endpoints }];
    const file = writeConfig(configJson({ apiToken: TOKEN, destinations }));
    expect((await run(["check", "--config", file])).err).toEqual([]);
  });

  it("limits the number of warnings that it shows", async () => {
    const sources = Array.from({ length: 300 }, (_, index) => ({
      id: `s${String(index)}`,
      writeKey: `wk_${String(index)}`,
    }));
    const file = writeConfig(configJson({ sources, destinations: [] }));
    const { code, err } = await run(["check", "--config", file]);
    expect({ code, lines: err.length, last: err.at(-1) }).toEqual({
      code: 0,
      lines: 201,
      last: `${file}: 101 more findings are not shown`,
    });
  });

  it("reports every problem with its path, and has status 2", async () => {
    const file = writeConfig(configJson({ store: "redis:", sources: [{ id: "website" }], surprise: 1 }));
    const { code, out, err } = await run(["check", "--config", file]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    const paths = err.slice(0, -1).map((line) => line.split(":")[0]);
    expect(paths.sort()).toEqual(["sources[0].writeKey", "store", "surprise"]);
    expect(err.at(-1)).toBe(`what each code means: ${DOCS_URL}/errors.md#the-config`);
  });

  it("says what was probably meant: a key, the other holder of an id, a variable, JSON without comments", async () => {
    const texts = async (content: object | string): Promise<readonly string[]> =>
      (await run(["check", "--config", writeConfig(content as string)])).err.slice(0, -1);
    const source = { id: "website", writeKey: "env:NOT_SET" };
    const wrong = configJson({ sources: [source, { ...source, writeKey: WRITE_KEY }], destnations: [] });
    expect(await texts(wrong)).toEqual([
      expect.stringMatching(/^sources\[0\]\.writeKey: expected .* is set; NOT_SET is not \(missing\)$/),
      expect.stringMatching(/^destnations: expected one of the keys .*; did you mean destinations\? \(unknown-key\)$/),
      expect.stringMatching(/^sources\[1\]\.id: expected .* only once; sources\[0\] has the same \(duplicate-id\)$/),
    ]);
    expect(await texts('{\n  "store": "memory:", // for now\n}')).toEqual([
      expect.stringMatching(/at line 2, column 23, where a comment begins, which JSON does not have \(bad-json\)$/),
    ]);
    expect(await texts('{ "store" "memory:" }')).toEqual([
      expect.stringMatching(/at line 1, column 11, before which a comma or a colon is missing \(bad-json\)$/),
    ]);
  });

  it("has status 2 for a missing file", async () => {
    expect(await run(["check", "--config", "/nowhere/postrider.json"])).toMatchObject({
      code: 2,
      err: ["/nowhere/postrider.json: expected a file that exists (unreadable)", expect.stringContaining(DOCS_URL)],
    });
  });
});

/** A config with three warnings and a note. */
function suspicious(): Record<string, unknown> {
  const sources = [
    { id: "website", writeKey: WRITE_KEY },
    { id: "shop", writeKey: SHOP_KEY },
  ];
  const endpoints = [{ url: "http://10.0.0.1/hook?token=t0ken" }, { url: "https://example.com/hook" }];
  const destinations = [
    { id: "crm", sources: ["website"], endpoints },
    { id: "here", sources: ["website"], endpoints: [{ url: "http://localhost:9/hook" }] },
  ];
  return configJson({ sources, destinations, network: {} });
}
