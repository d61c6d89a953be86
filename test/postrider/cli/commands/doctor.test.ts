import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { SHOP_KEY, TOKEN, WRITE_KEY } from "../../../canary.js";
import { close, listen } from "../../../loopback.js";
import { configJson } from "../../config-file.js";
import { api, receiverOf, refusingReceiver, serverOf, track } from "../../server.js";
import { type Ran, run } from "../../test-host.js";

async function withServer(destination: object = {}, changes: object = {}) {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }], ...destination }];
  const { server, log } = await serverOf(configJson({ apiToken: TOKEN, destinations, ...changes }));
  const doctor = (...words: readonly string[]): Promise<Ran> => run(["doctor", "--url", server.url, ...words]);
  const full = ["--write-key", WRITE_KEY, "--token", TOKEN];
  return { receiver, url: server.url, log, doctor, full };
}

/** A healthy server that answers these paths, and no other one. */
async function fakeServer(answers: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const all: Readonly<Record<string, object>> = { "/healthz": { healthy: true, reason: null }, ...answers };
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const answer = all[url.split("?")[0] ?? ""];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, asked };
}

const WRONG_TOKEN =
  /^bad {2}what the server has seen: .* 401 unauthorized: the token is not the apiToken .* --token-file, --token or POSTRIDER_TOKEN/;

describe("postrider doctor", () => {
  it("reports a server that does not answer, and another program", async () => {
    const unreachable = await run(["doctor", "--url", "http://127.0.0.1:9", "--write-key", WRITE_KEY]);
    expect(unreachable).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/^bad {2}no answer from http:\/\/127\.0\.0\.1:9/)],
    });
    const other = createServer((_, response) => response.writeHead(404).end("not here"));
    const port = await listen(other);
    onTestFinished(() => close(other));
    const { code, out } = await run(["doctor", "--url", `http://127.0.0.1:${String(port)}`]);
    expect({ code, out }).toEqual({
      code: 1,
      out: ["bad  another program than Postrider answered; correct --url or POSTRIDER_URL (404)"],
    });
  });

  it("tells a server of another version", async () => {
    const { url } = await fakeServer({ "/api/version": { program: "99.0.0", api: 1, config: 1 } });
    const { out } = await run(["doctor", "--url", url, "--token", TOKEN]);
    expect(out).toContainEqual(expect.stringMatching(/^open the server is postrider 99\.0\.0, and this is /));
  });

  it("asks for the latest calls once, and tells those of the source and of the messageId", async () => {
    const refused = (source: string, messageId: string, code: string) => ({
      ...{ at: "2026-01-31T12:00:00.000Z", outcome: "refused", filtered: [], calls: 1 },
      ...{ source, messageId, refusal: { code, path: "" } },
    });
    const calls = [
      refused("shop", "m1", "too-deep"),
      refused("website", "m2", "no-event"),
      refused("website", "m1", "no-ids"),
    ];
    const { url, asked } = await fakeServer({
      "/api/calls": { calls, latest: 3, missed: 0 },
      "/api/sources": { sources: [{ source: "website", destinations: [] }] },
      "/api/stats": { sources: [{ source: "website", refused: 2 }] },
      "/api/seen": { seen: [] },
      "/api/deliveries": { deliveries: [], next: null },
    });
    const { out } = await run([
      "doctor",
      "--url",
      url,
      "--token",
      TOKEN,
      "--write-key",
      WRITE_KEY,
      "--message-id",
      "m1",
    ]);
    expect(asked.filter((path) => path.startsWith("/api/calls"))).toEqual(["/api/calls?limit=1000"]);
    expect(out).toContainEqual(expect.stringMatching(/^open 2 calls broke a rule and were refused: .*, no-event/));
    expect(out.at(-1)).toMatch(/^bad {2}a call of website with this messageId came in at \S+ and was refused: no-ids/);
  });

  it("names the options that are missing, and finds a server and a key", async () => {
    const { doctor } = await withServer();
    expect(await doctor()).toEqual({
      code: 0,
      out: [
        "ok   the server answers and is healthy",
        "open whether the write key is known: use --write-key, or set POSTRIDER_WRITE_KEY",
        "open what the server has seen: use --token-file or --token, or set POSTRIDER_TOKEN",
      ],
      err: [],
    });
    expect((await doctor("--write-key", WRITE_KEY)).out[1]).toBe("ok   the write key is known");
  });

  it("reports an unknown key and a wrong token", async () => {
    const { doctor } = await withServer();
    const { code, out } = await doctor("--write-key", "wrong", "--token", "wrong");
    expect(code).toBe(1);
    expect(out.slice(1)).toEqual([
      "bad  the write key is not known: compare it with the sources of the config",
      expect.stringMatching(WRONG_TOKEN),
    ]);
  });

  it("has status 1 for a wrong token alone, and for an API that is off", async () => {
    const { doctor } = await withServer();
    const wrong = await doctor("--write-key", WRITE_KEY, "--token", "wrong");
    expect({ code: wrong.code, last: wrong.out.at(-1) }).toEqual({ code: 1, last: expect.stringMatching(WRONG_TOKEN) });
    const { server } = await serverOf(configJson());
    const off = await run(["doctor", "--url", server.url, "--token", TOKEN]);
    expect(off).toMatchObject({ code: 1, out: expect.arrayContaining([expect.stringMatching(/^bad .*set apiToken/)]) });
  });

  it("has status 1 if a receiver fails now, with its last answers and for how long", async () => {
    const refused = await withServer({ endpoints: [{ url: await refusingReceiver() }] });
    await track(refused.url);
    const last = async ({ doctor, full }: typeof refused) => (await doctor(...full)).out.at(-1);
    const FAILED = /^bad {2}crm has failed for .*: its last answer is 422; see postrider show \S+$/;
    await expect.poll(() => last(refused)).toMatch(FAILED);
    expect((await refused.doctor(...refused.full)).code).toBe(1);
    expect((await refused.doctor("--token", TOKEN)).out.at(-1)).toMatch(FAILED);

    const away = await withServer({ endpoints: [{ url: "http://127.0.0.1:3/" }] });
    await track(away.url);
    await expect
      .poll(() => last(away))
      .toMatch(/^bad {2}crm has failed .*: its last answer is connection-refused; see/);
  });

  it("has status 1 for a failure long ago only while a delivery is tried again", async () => {
    const at = "2020-01-31T12:00:00.000Z";
    const dead = { id: "7", state: "dead", reason: "refused", detail: "404", acceptedAt: at };
    const waiting = { id: "6", state: "waiting", reason: null, detail: "503", acceptedAt: at };
    const examine = async (deliveries: readonly object[]) => {
      const { url } = await fakeServer({
        "/api/sources": { sources: [{ source: "website", destinations: [{ destination: "crm" }] }] },
        "/api/stats": { accepted: 2 },
        "/api/deliveries": { deliveries, next: null },
      });
      const { code, out } = await run(["doctor", "--url", url, "--token", TOKEN]);
      return { code, last: out.at(-1) };
    };
    expect(await examine([dead])).toEqual({
      code: 0,
      last: expect.stringMatching(
        /^open crm failed .* ago, and got nothing since: its last answer is 404; .*postrider test crm/,
      ),
    });
    expect(await examine([dead, waiting])).toEqual({
      code: 1,
      last: expect.stringMatching(/^bad {2}crm has failed for/),
    });
  });

  it("makes no call, and reports that none was seen", async () => {
    const { doctor, full } = await withServer();
    for (let time = 0; time < 2; time += 1) {
      expect((await doctor(...full)).out.at(-1)).toMatch(/^bad {2}no call of website was ever seen/);
    }
  });

  it("reports the deliveries of a call", async () => {
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
        "ok   website is connected to crm",
        "ok   calls of website were seen, 1 delivery has arrived",
        expect.stringMatching(/^ok {3}the call of website was accepted at \d{4}-\S+Z$/),
        "ok   the call to crm was delivered: look on at the receiver",
      ],
    });
  });

  it("reports filtered units, and waiting and dead deliveries", async () => {
    const off = await withServer({ enabled: false });
    await track(off.url, { messageId: "m1" });
    const filtered = await off.doctor(...off.full, "--message-id", "m1");
    expect({ code: filtered.code, out: filtered.out.slice(3) }).toEqual({
      code: 1,
      out: [
        'bad  crm is off: new calls are filtered, and what waits stays; set "enabled" to true',
        "ok   calls of website were seen, 0 deliveries have arrived",
        expect.stringMatching(/^open 1 was filtered, the last at \S+Z: crm: it was off \("enabled" was false\)$/),
        expect.stringMatching(
          /^bad {2}the call of website was accepted at \S+ and went to no destination: it was filtered\. crm: it was off \(/,
        ),
      ],
    });

    const paused = await withServer({ paused: true });
    await track(paused.url, { messageId: "m1" });
    const waiting = await paused.doctor(...paused.full, "--message-id", "m1");
    expect(waiting.out.slice(3)).toEqual([
      "open crm is paused: its deliveries wait",
      "ok   calls of website were seen, 0 deliveries have arrived",
      "open 1 waits for a turn or a retry",
      expect.stringMatching(/^ok {3}the call of website was accepted at/),
      'open the call to crm is waiting, no attempt recorded. It waits: its destination is paused in the settings ("paused")',
    ]);

    const forbidden = await withServer({ endpoints: [{ url: "http://10.0.0.1/" }] });
    await track(forbidden.url, { messageId: "m1" });
    const last = async () => (await forbidden.doctor(...forbidden.full, "--message-id", "m1")).out.at(-1);
    await expect
      .poll(last)
      .toMatch(
        /^bad {2}the call to crm waits: forbidden-address, no endpoint may be called; network\.allow can allow its range\. It waits: our own/,
      );
  });

  it("distinguishes a filtered call from one that was never made", async () => {
    const { doctor, full, url } = await withServer({ name: "CRM" });
    await track(url, { messageId: "filtered", integrations: { CRM: false } });
    const last = async (id: string) => (await doctor(...full, "--message-id", id)).out.at(-1);
    expect(await last("filtered")).toMatch(
      /^bad {2}the call of website was accepted at \d{4}-\S+Z and went to no destination: it was filtered\. crm: the "integrations" of the call switched it off$/,
    );
    expect(await last("never")).toBe(
      "bad  no call of website with this messageId was seen in the last 24 hours: it was never made, it is older, or it was " +
        "refused (the log of the server has a line call-CODE with its source, or unknown-key)",
    );
  });

  it("reports only the source of the key, or all sources without a key", async () => {
    const sources = [
      { id: "website", writeKey: WRITE_KEY },
      { id: "shop", writeKey: SHOP_KEY },
    ];
    const { doctor, url } = await withServer({ paused: true }, { sources });
    await track(url, { messageId: "m1" });
    const shop = await doctor("--write-key", SHOP_KEY, "--token", TOKEN, "--message-id", "m1");
    expect(shop.out.slice(1)).toEqual([
      "ok   the write key is known",
      'bad  no destination is connected to shop: name it in the "sources" of a destination',
      "bad  no call of shop was ever seen: is one made, and is the client flushed before its process ends?",
      expect.stringMatching(/^bad {2}no call of shop with this messageId was seen in the last 24 hours: /),
    ]);
    const all = await doctor("--token", TOKEN, "--message-id", "m1");
    expect(all.out.slice(2)).toEqual([
      "ok   website is connected to crm",
      "open crm is paused: its deliveries wait",
      'open no destination is connected to shop: name it in the "sources" of a destination',
      "ok   calls of all sources were seen, 0 deliveries have arrived",
      "open 1 waits for a turn or a retry",
      expect.stringMatching(/^ok {3}the call of website was accepted at/),
      'open the call to crm is waiting, no attempt recorded. It waits: its destination is paused in the settings ("paused")',
    ]);
  });

  it("ends with status 1 for settings by which no call can arrive, and not for a spare source or destination", async () => {
    const sources = [
      { id: "website", writeKey: WRITE_KEY },
      { id: "shop", writeKey: SHOP_KEY },
    ];
    const { doctor, full, url } = await withServer({ paused: true }, { sources });
    await track(url);
    expect((await doctor("--token", TOKEN)).code).toBe(0);
    expect((await doctor(...full)).code).toBe(0);
    await track(url, {}, SHOP_KEY);
    expect((await doctor("--write-key", SHOP_KEY, "--token", TOKEN)).code).toBe(1);

    const off = await withServer({ enabled: false }, { sources });
    await track(off.url);
    const { code, out } = await off.doctor("--token", TOKEN);
    expect({ code, out: out.slice(2, 5).map((line) => line.slice(0, 4)) }).toEqual({
      code: 1,
      out: ["ok  ", "bad ", "bad "],
    });
  });

  it("finds the source of a key that the settings hold as a digest", async () => {
    const digest = createHash("sha256").update(WRITE_KEY).digest("hex");
    const { doctor, full } = await withServer({}, { sources: [{ id: "website", writeKey: `sha256:${digest}` }] });
    expect((await doctor(...full)).out[2]).toBe("ok   website is connected to crm");
  });

  it("refers to the log if calls were refused, also within a batch that was answered 200", async () => {
    const { doctor, full, url, log } = await withServer();
    const headers = { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` };
    const batch = [{ type: "track", userId: "u1" }];
    const answer = await fetch(`${url}/v1/batch`, { method: "POST", headers, body: JSON.stringify({ batch }) });
    expect(answer.status).toBe(200);
    expect((await doctor(...full)).out.at(-1)).toMatch(
      /^open 1 call broke a rule and was refused: the last at \S+Z, no-event at event \(a track call needs the name of its event\); see postrider tail --outcome refused$/,
    );
    expect(log).toContainEqual(expect.objectContaining({ code: "call-no-event", source: "website" }));
  });
});
