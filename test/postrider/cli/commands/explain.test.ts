import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { api, receiverOf, refusingReceiver, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

const CLOSED = "http://127.0.0.1:9/";

/** A server with one destination that refuses, one that is paused, and one that is off. */
async function server() {
  const to = (id: string, url: string, changes: object = {}) => ({
    id,
    sources: ["website"],
    endpoints: [{ url }],
    ...changes,
  });
  const destinations = [
    to("mail", await refusingReceiver()),
    to("crm", (await receiverOf()).url, { paused: true }),
    to("ads", CLOSED, { enabled: false }),
  ];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const call = (...words: readonly string[]) => run([...words, "--url", server.url, "--token", TOKEN]);
  const rows = async () => (await (await api(server.url, "deliveries", TOKEN)).json()).deliveries as Row[];
  return { call, rows, url: server.url };
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly destination: string;
}

describe("postrider explain", () => {
  it("says of each delivery of a call why it waits or died", async () => {
    const { call, rows, url } = await server();
    await track(url, { messageId: "m1" });
    await expect.poll(async () => (await rows()).some(({ state }) => state === "dead")).toBe(true);
    const { code, out } = await call("explain", "--message-id", "m1");
    expect(code).toBe(0);
    expect(out).toContainEqual(expect.stringMatching(/^delivery \d+ to mail: dead$/));
    expect(out).toContainEqual(expect.stringMatching(/^ {2}It is dead: http:\S+ answered 422 at \S+\. /));
    expect(out).toContainEqual(expect.stringMatching(/^delivery \d+ to crm: waiting$/));
    expect(out).toContain('  It waits: its destination is paused in the settings ("paused").');

    const paused = (await rows()).find(({ destination }) => destination === "crm")!;
    const one = await call("explain", paused.id, "--json");
    expect(one.out.map((line) => JSON.parse(line))).toMatchObject([
      { id: paused.id, reasons: [{ kind: "paused", by: ["settings"] }] },
    ]);
  });

  it("says of a call without a delivery that it was not seen", async () => {
    const { call } = await server();
    const { code, out } = await call("explain", "--message-id", "m9");
    expect(code).toBe(1);
    expect(out.join()).toContain("no call with this messageId was seen");
  });

  it("wants a delivery or a call, not both, and says that a delivery does not exist", async () => {
    const { call } = await server();
    expect((await call("explain")).code).toBe(2);
    expect((await call("explain", "1", "--message-id", "m1")).code).toBe(2);
    const none = await call("explain", "99999");
    expect({ code: none.code, err: none.err.join() }).toEqual({
      code: 1,
      err: expect.stringContaining("there is no such delivery"),
    });
  });
});

describe("postrider lanes", () => {
  it("lists each destination: whether it sends, what waits, and why", async () => {
    const { call, rows, url } = await server();
    await track(url, { messageId: "m1" });
    await expect.poll(async () => (await rows()).some(({ state }) => state === "dead")).toBe(true);
    const { code, out } = await call("lanes");
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(/^destination +mode +waiting +bytes +in flight +next due +window left +died +because$/),
      expect.stringMatching(/^mail +open +0 +0 +0\/\d+ +- +- +1 +last refused with 422$/),
      expect.stringMatching(/^crm +paused +1 +\d+ +0\/\d+ +- +- +- +paused by settings$/),
      expect.stringMatching(/^ads +off +0 +0 +0\/\d+ +- +- +- +off in the settings \("enabled"\)$/),
    ]);
    const json = await call("lanes", "--json");
    expect(json.out.map((line) => JSON.parse(line).mode)).toEqual(["open", "paused", "off"]);
  });

  it("has status 1 if the token is wrong", async () => {
    const { url } = await server();
    expect((await run(["lanes", "--url", url, "--token", "wrong"])).code).toBe(1);
  });
});
