import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configJson, tempFolder, writeConfig } from "../../config-file.js";
import { run, start } from "../../test-host.js";

/** A config with a file that a server has made. */
async function withFile(changes: object = {}) {
  const folder = tempFolder();
  const config = writeConfig(configJson({ store: "sqlite:./p.db" }), folder);
  const { host, ended } = await start(["serve", "--config", config]);
  host.signal("SIGTERM");
  await ended;
  writeConfig(configJson({ store: "sqlite:./p.db", ...changes }), folder);
  return { config, copy: join(folder, "copy.db"), file: join(folder, "p.db") };
}

describe("postrider backup", () => {
  it("copies the store of a config, and says how large the copy is", async () => {
    const { config, copy, file } = await withFile();
    const { code, out, err } = await run(["backup", "--config", config, "--to", copy]);
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out[0]).toMatch(new RegExp(`^copied ${file} to ${copy}: [\\d,]+ bytes in [\\d.]+ s, checked$`));
  });

  it("needs no secret and no variable of the config but those of its store", async () => {
    const { config, copy } = await withFile({ apiToken: "env:NOT_SET", sources: 7 });
    expect((await run(["backup", "--config", config, "--to", copy])).code).toBe(0);
    const other = await withFile({ store: "env:STORE" });
    const named = await run(["backup", "--config", other.config, "--to", other.copy], { STORE: "sqlite:./p.db" });
    expect(named.code).toBe(0);
    expect(await run(["backup", "--config", other.config, "--to", copy])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/^store: expected .* STORE is not \(missing\)$/)],
    });
  });

  it("does not replace a file", async () => {
    const { config, copy, file } = await withFile();
    writeFileSync(copy, "");
    expect(await run(["backup", "--config", config, "--to", copy])).toEqual({
      code: 1,
      out: [],
      err: [`postrider: cannot back up ${file}: ${copy} exists already, and is not replaced: name another file`],
    });
  });

  it.each([
    ["without --to", ["backup"], /^error: name the copy with --to$/],
    ["with a config that does not exist", ["backup", "--to", "x", "--config", "/nowhere.json"], /unreadable/],
  ])("has status 2 %s", async (_, words, expected) => {
    const config = words.includes("--config") ? [] : ["--config", writeConfig(configJson())];
    expect(await run([...words, ...config])).toMatchObject({ code: 2, err: [expect.stringMatching(expected)] });
  });

  it("has status 2 for a store in memory, and makes no file", async () => {
    const config = writeConfig(configJson());
    const copy = join(tempFolder(), "copy.db");
    expect(await run(["backup", "--config", config, "--to", copy])).toEqual({
      code: 2,
      out: [],
      err: [`postrider: ${config} keeps its store in memory, so there is no file to back up`],
    });
    expect(existsSync(copy)).toBe(false);
  });
});
