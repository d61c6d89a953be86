import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { receiverOf, serverOf, track } from "../../server.js";
import { createTestHost, run } from "../../test-host.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";

async function server() {
  const { url } = await receiverOf();
  const destinations = [
    { id: "crm", sources: ["website"], endpoints: [{ url }] },
    { id: "ads", sources: ["website"], endpoints: [{ url }], enabled: false },
  ];
  const started = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const access = ["--url", started.server.url, "--token", TOKEN];
  return { url: started.server.url, access, tail: (...words: readonly string[]) => run(["tail", ...words, ...access]) };
}

function post(url: string, body: object, key = WRITE_KEY): Promise<Response> {
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
  return fetch(`${url}/v1/track`, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("postrider tail", () => {
  it("prints the latest calls, oldest first: what came of each, and why", async () => {
    const { url, tail } = await server();
    await track(url, { messageId: "m1" });
    await track(url, { messageId: "m1" });
    await post(url, { userId: "u1", messageId: "m2" });
    await post(url, { userId: "u1", event: "e" }, "wrong");
    const { code, out } = await tail("--no-follow");
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}accepted {5}website {2}m1 {2}1 delivery; not to ads: destination-off$/,
      ),
      expect.stringMatching(/Z {2}duplicate {4}website {2}m1$/),
      expect.stringMatching(/Z {2}refused {6}website {2}m2 {2}no-event at event$/),
      expect.stringMatching(/Z {2}unknown-key$/),
    ]);
    expect((await tail("--no-follow", "--limit", "1", "--json")).out.map((line) => JSON.parse(line))).toMatchObject([
      { outcome: "unknown-key", source: null },
    ]);
    expect((await tail("--no-follow", "--outcome", "duplicate")).out).toHaveLength(1);
  });

  it("prints each further call until a signal", async () => {
    const { url, access } = await server();
    await track(url, { messageId: "m1" });
    const host = createTestHost();
    const ended = runProgram(host, ["tail", ...access]);
    await expect.poll(() => host.lines.out.length).toBe(1);
    await track(url, { messageId: "m2" });
    await expect.poll(() => host.lines.out.length, { timeout: 5_000 }).toBe(2);
    host.signal("SIGINT");
    expect(await ended).toBe(0);
  });

  it("has status 1 if the token is wrong, and 2 for an outcome that is none", async () => {
    const { url, tail } = await server();
    expect((await run(["tail", "--url", url, "--token", "wrong"])).code).toBe(1);
    expect((await tail("--outcome", "lost")).code).toBe(2);
  });
});
