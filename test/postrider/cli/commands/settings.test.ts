// postrider settings, over a real server whose settings the store keeps, and over one whose file owns them.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SECRET, TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson, tempFolder, writeConfig } from "../../config-file.js";
import { run, start } from "../../test-host.js";

const KEY = `sha256:${createHash("sha256").update(WRITE_KEY).digest("hex")}`;
const DOCUMENT = {
  sources: [{ id: "website", writeKey: KEY }],
  destinations: [
    {
      id: "crm",
      sources: ["website"],
      endpoints: [{ url: "https://crm.example/hook" }],
      sharedSecret: "file:secrets/crm.secret",
    },
  ],
};

/** A server that follows its store, and `postrider settings` for it. */
async function served(config: object = {}) {
  const folder = tempFolder();
  mkdirSync(join(folder, "secrets"));
  writeFileSync(join(folder, "secrets", "crm.secret"), SECRET);
  const shared = { settings: "store", settingsReferences: ["secrets/crm.secret"] };
  const machine = { listen: { port: 0 }, store: "memory:", apiToken: TOKEN, ...shared, ...config };
  const file = join(folder, "postrider.json");
  writeFileSync(file, JSON.stringify(machine));
  const { host, url, ended } = await start(["serve", "--config", file]);
  return {
    settings: (...words: readonly string[]) =>
      run(["settings", ...words], { POSTRIDER_URL: url, POSTRIDER_TOKEN: TOKEN }),
    write: (document: unknown) => {
      const path = join(folder, "settings.json");
      writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
      return path;
    },
    doctor: () => run(["doctor"], { POSTRIDER_URL: url, POSTRIDER_TOKEN: TOKEN }),
    end: async () => {
      host.signal("SIGTERM");
      expect(await ended).toBe(0);
    },
  };
}

describe("postrider settings", () => {
  it("puts settings over the revision that it names, and shows them, earlier ones and the history", async () => {
    const { settings, write, doctor, end } = await served();
    const file = write(DOCUMENT);
    expect(await settings("show")).toEqual({ code: 0, out: ["{}"], err: ["revision 0"] });
    expect(await settings("check", file)).toEqual({ code: 0, out: [`${file} is good`], err: [] });
    const put = ["put", file, "--actor", "ann", "--expect"];
    expect(await settings(...put, "0")).toEqual({ code: 0, out: ["revision 1"], err: [] });
    write({ ...DOCUMENT, destinations: [] });
    expect(await settings(...put, "1")).toMatchObject({ code: 0, out: ["revision 2"] });
    const late = await settings(...put, "1");
    expect(late).toMatchObject({ code: 1, out: [] });
    expect(late.err.join("\n")).toContain(
      "412 stale-revision: the settings have changed meanwhile: the latest revision is 2",
    );
    const former = await settings("show", "--revision", "1");
    expect(JSON.parse(former.out.join("\n"))).toEqual(DOCUMENT);
    const history = await settings("history");
    expect(history.out.map((line) => line.replace(/\d{4}-\S+Z/, "TIME"))).toEqual([
      "     2  TIME  ann",
      "     1  TIME  ann",
    ]);
    await expect.poll(async () => (await settings("show")).err).toEqual(["revision 2 by ann"]);
    expect((await doctor()).out.join("\n")).toContain("revision 2 of the settings is in force");
    await end();
  });

  it("prints every problem with its path, has status 2, and changes nothing", async () => {
    const { settings, write, end } = await served();
    const [crm] = DOCUMENT.destinations;
    const file = write({ destinations: [{ ...crm, sharedSecret: SECRET }], apiToken: "env:POSTRIDER_TOKEN" });
    for (const words of [
      ["check", file],
      ["put", file, "--expect", "0"],
    ]) {
      const { code, err } = await settings(...words);
      expect(code).toBe(2);
      expect(err.map((line) => line.replace(/: .*\(/, " ("))).toEqual([
        "destinations[0].sharedSecret (plain-secret)",
        "apiToken (bad-reference)",
        "destinations[0].sources[0] (unknown-source)",
        "postrider: nothing has changed",
      ]);
    }
    expect((await settings("history")).err).toEqual(["the store has no settings"]);
    await end();
  });

  it("has status 2 for a file that is no JSON, and for a revision that is none", async () => {
    const { settings, write, end } = await served();
    const broken = await settings("check", write("{"));
    expect(broken).toMatchObject({ code: 2, err: [expect.stringContaining("(bad-json)")] });
    expect(await settings("check", write([]))).toMatchObject({ code: 2 });
    expect(await settings("put", write({}), "--expect", "latest")).toMatchObject({ code: 2 });
    expect(await settings("put", write({}))).toMatchObject({ code: 2 });
    await end();
  });

  it("shows the settings of a file without its secrets, and does not put any", async () => {
    const config = configJson({ apiToken: TOKEN });
    const { host, url, ended } = await start(["serve", "--config", writeConfig(config)]);
    const settings = (...words: readonly string[]) =>
      run(["settings", ...words], { POSTRIDER_URL: url, POSTRIDER_TOKEN: TOKEN });
    const shown = await settings("show");
    expect(shown.code).toBe(0);
    expect(shown.out.join("\n")).toContain('"writeKey": "(hidden)"');
    expect(shown.err).toEqual(["these are the settings of the config file, with secrets hidden; they cannot be put"]);
    const file = join(tempFolder(), "settings.json");
    writeFileSync(file, "{}");
    const put = await settings("put", file, "--expect", "0");
    expect(put).toMatchObject({ code: 1, err: [expect.stringContaining("409 settings-in-file")] });
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
  });
});
