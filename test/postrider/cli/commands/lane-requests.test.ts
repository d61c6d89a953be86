import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { type ConfigJson, configJson } from "../../config-file.js";
import { configOf, receiverOf, refusingReceiver, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

/** A server with a destination that works, and one that the settings pause. */
async function server() {
  const receiver = await receiverOf();
  const to = (id: string, url: string, changes: object = {}) => ({
    ...{ id, sources: ["website"], endpoints: [{ url }] },
    ...changes,
  });
  const destinations = [to("crm", receiver.url), to("mail", await refusingReceiver(), { paused: true })];
  const config: ConfigJson = configJson({ apiToken: TOKEN, destinations });
  const { server } = await serverOf(config);
  const call = (...words: readonly string[]) => run([...words, "--url", server.url, "--token", TOKEN]);
  const remove = (id: string) =>
    server.configure(configOf({ ...config, destinations: destinations.filter((one) => one.id !== id) }));
  return { call, url: server.url, receiver, remove };
}

describe("postrider pause and resume", () => {
  it("pause a destination and end that pause, and show the lane", async () => {
    const { call, url, receiver } = await server();
    const paused = await call("pause", "crm");
    expect(paused).toMatchObject({ code: 0, err: [] });
    expect(paused.out.join("\n")).toMatch(/^crm +paused +0 .* paused by operator$/m);
    await track(url, { messageId: "m1" });
    expect(receiver.messages).toEqual([]);
    const resumed = await call("resume", "crm", "--json");
    expect(JSON.parse(resumed.out[0]!)).toMatchObject({ destination: "crm", mode: "open", pausedBy: [] });
    await receiver.count(1);
  });

  it("say that the settings still pause a destination", async () => {
    const { call } = await server();
    const { code, out, err } = await call("resume", "mail");
    expect([code, out.join("\n")]).toEqual([0, expect.stringMatching(/^mail +paused .* paused by settings$/m)]);
    expect(err).toEqual([
      'the settings still pause it: remove "paused" from its destination in the config, and reload',
    ]);
  });

  it("end with 1 for a destination that is unknown, with what the server says", async () => {
    const { call } = await server();
    for (const name of ["pause", "resume", "probe"]) {
      const { code, err } = await call(name, "elsewhere");
      expect([code, err.join()]).toEqual([1, expect.stringMatching(/404 not-found: there is no such destination/)]);
    }
  });
});

describe("postrider probe", () => {
  it("says why a lane sends no probes", async () => {
    const { call } = await server();
    const { code, err } = await call("probe", "crm");
    expect([code, err.join()]).toEqual([1, expect.stringMatching(/409 not-probed: the destination is sent to/)]);
  });
});

describe("postrider forget", () => {
  it("says what would end, and with --yes ends it", async () => {
    const { call, url, remove } = await server();
    await track(url, { messageId: "m1" });
    expect((await call("forget", "mail")).err).toEqual(["the config has mail: remove it there first, and reload"]);
    expect(await call("forget", "elsewhere")).toMatchObject({ code: 1, err: ["nothing waits for elsewhere"] });
    remove("mail");
    expect(await call("forget", "mail")).toMatchObject({
      code: 1,
      err: ["1 delivery would end; run again with --yes"],
    });
    expect(await call("forget", "mail", "--yes")).toMatchObject({ code: 0, out: ["ended 1"] });
    expect(await call("forget", "mail", "--yes")).toMatchObject({ code: 0, out: ["ended 0"] });
  });

  it("does not end what waits for a destination of the config", async () => {
    const { call } = await server();
    const { code, err } = await call("forget", "mail", "--yes");
    expect([code, err.join()]).toEqual([1, expect.stringMatching(/409 destination-in-force/)]);
  });
});
