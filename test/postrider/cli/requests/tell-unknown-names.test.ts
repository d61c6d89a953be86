import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { serverOf } from "../../server.js";
import { run } from "../../test-host.js";

const NO_DESTINATION = "no source is connected to a destination crn; did you mean crm?";

async function withServer() {
  const endpoints = [{ url: "http://127.0.0.1:3/" }];
  const { server } = await serverOf(
    configJson({
      apiToken: TOKEN,
      sources: [
        { id: "website", writeKey: WRITE_KEY },
        { id: "mobile", writeKey: "wk_2" },
      ],
      destinations: ["crm", "mail"].map((id) => ({ id, sources: ["website"], endpoints })),
    }),
  );
  return (...words: readonly string[]) => run(words, { POSTRIDER_URL: server.url, POSTRIDER_TOKEN: TOKEN });
}

describe("a name that the settings do not have", () => {
  it("is told with the one that was probably meant, if no delivery matches it", async () => {
    const ask = await withServer();
    expect(await ask("deliveries", "--destination", "crn")).toEqual({
      code: 0,
      out: [],
      err: ["no deliveries match", NO_DESTINATION],
    });
    expect((await ask("deliveries", "--source", "web-site", "--destination", "crm")).err).toEqual([
      "no deliveries match",
      "there is no source web-site; did you mean website?",
    ]);
    expect((await ask("deliveries", "--source", "unlike")).err[1]).toBe(
      "there is no source unlike; there are website, mobile",
    );
    expect((await ask("deliveries", "--destination", "mail")).err).toEqual(["no deliveries match"]);
    expect((await ask("deliveries", "--destination", "crn", "--json")).err).toEqual([NO_DESTINATION]);
  });

  it("is told by replay, delete-user and audience create too", async () => {
    const ask = await withServer();
    const replayed = await ask("replay", "--destination", "crn");
    expect({ ...replayed, err: replayed.err.slice(1) }).toEqual({
      code: 1,
      out: ["replayed 0"],
      err: [NO_DESTINATION],
    });
    const deleted = await ask("delete-user", "u1", "--source", "web", "--source", "mobil");
    expect({ code: deleted.code, err: deleted.err.slice(1) }).toEqual({
      code: 1,
      err: ["there is no source web; there are website, mobile", "there is no source mobil; did you mean mobile?"],
    });
    const created = await ask("audience", "create", "Big", "--destination", "mail", "--destination", "crn");
    expect({ code: created.code, last: created.err.at(-1) }).toEqual({ code: 1, last: NO_DESTINATION });
  });
});
