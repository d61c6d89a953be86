import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { configJson } from "../config-file.js";
import { api, receiverOf, serverOf, track } from "../server.js";
import { type Ran, run } from "../test-host.js";

async function withServer(destination: object = {}) {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }], ...destination }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const doctor = (...words: readonly string[]): Promise<Ran> => run(["doctor", "--url", server.url, ...words]);
  const full = ["--write-key", WRITE_KEY, "--token", TOKEN];
  return { receiver, url: server.url, doctor, full };
}

describe("postrider doctor", () => {
  it("says when nobody is there, or somebody else", async () => {
    const nobody = await run(["doctor", "--url", "http://127.0.0.1:9", "--write-key", WRITE_KEY]);
    expect(nobody).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/^bad {2}no answer from http:\/\/127\.0\.0\.1:9/)],
    });
    const other = createServer((_, response) => response.writeHead(404).end("not here"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { code, out } = await run(["doctor", "--url", `http://127.0.0.1:${(other.address() as AddressInfo).port}`]);
    expect({ code, out }).toEqual({ code: 1, out: ["bad  something is there, but no Postrider: it answered 404"] });
  });

  it("says what it was not given, and finds a server and a key", async () => {
    const { doctor } = await withServer();
    expect(await doctor()).toEqual({
      code: 0,
      out: [
        "ok   the server is there, and healthy",
        "open whether the write key is known: give --write-key",
        "open what the server has seen: give --token",
      ],
      err: [],
    });
    expect((await doctor("--write-key", WRITE_KEY)).out[1]).toBe("ok   the write key is known");
  });

  it("says when the key is not known, and when the token is wrong", async () => {
    const { doctor } = await withServer();
    const { code, out } = await doctor("--write-key", "wrong", "--token", "wrong");
    expect(code).toBe(1);
    expect(out.slice(1)).toEqual([
      "bad  the write key is not known: compare it with the sources of the config",
      "open what the server has seen: the server answered unauthorized",
    ]);
  });

  it("makes no call, and says when none was seen", async () => {
    const { doctor, full } = await withServer();
    for (let time = 0; time < 2; time += 1) {
      expect((await doctor(...full)).out.at(-1)).toMatch(/^bad {2}no call was ever seen/);
    }
  });

  it("says what became of a call that was delivered", async () => {
    const { doctor, full, url, receiver } = await withServer();
    await track(url, { messageId: "m1" });
    await receiver.count(1);
    const delivered = async () =>
      (await (await api(url, "deliveries?state=delivered", TOKEN)).json()).deliveries as readonly unknown[];
    await expect.poll(delivered).toHaveLength(1);
    const { code, out } = await doctor(...full, "--message-id", "m1");
    expect({ code, out: out.slice(2) }).toEqual({
      code: 0,
      out: [
        "ok   calls were seen, 1 deliveries have arrived",
        "ok   the call to crm was delivered: look on at the receiver",
      ],
    });
    expect((await doctor(...full, "--message-id", "m2")).out.at(-1)).toMatch(/^bad {2}the call has no delivery/);
  });

  it("says what was filtered, what waits and what is dead", async () => {
    const off = await withServer({ enabled: false });
    await track(off.url, { messageId: "m1" });
    expect((await off.doctor(...off.full)).out).toContainEqual(expect.stringMatching(/^open 1 were filtered/));

    const paused = await withServer({ paused: true });
    await track(paused.url, { messageId: "m1" });
    const waiting = await paused.doctor(...paused.full, "--message-id", "m1");
    expect(waiting.out.slice(3)).toEqual([
      "open 1 wait for their turn or their retry",
      "open the call to crm is waiting, tried 0 times, last unknown",
    ]);

    const forbidden = await withServer({ endpoints: [{ url: "http://10.0.0.1/" }] });
    await track(forbidden.url, { messageId: "m1" });
    const dead = async () => (await forbidden.doctor(...forbidden.full, "--message-id", "m1")).out.at(-1);
    await expect.poll(dead).toBe("bad  the call to crm is dead: refused, forbidden-address");
  });
});
