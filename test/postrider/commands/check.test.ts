import { describe, expect, it } from "vitest";
import { configJson, writeConfig } from "../config-file.js";
import { run } from "../test-host.js";

describe("postrider check", () => {
  it("has status 0 for a good config", async () => {
    const file = writeConfig(configJson());
    expect(await run(["check", "--config", file])).toEqual({ code: 0, out: [`${file} is good`], err: [] });
  });

  it("says every problem with its path, and has status 2", async () => {
    const file = writeConfig(configJson({ store: "redis:", sources: [{ id: "website" }], surprise: 1 }));
    const { code, out, err } = await run(["check", "--config", file]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err.map((line) => line.split(":")[0]).sort()).toEqual(["sources[0].writeKey", "store", "surprise"]);
  });

  it("has status 2 for a file that is not there", async () => {
    expect(await run(["check", "--config", "/nowhere/postrider.json"])).toMatchObject({
      code: 2,
      err: ["/nowhere/postrider.json: expected a file that can be read (unreadable)"],
    });
  });
});
