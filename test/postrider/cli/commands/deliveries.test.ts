import { errorDocs } from "@postrider/core/engine";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../../../canary.js";
import { close, listen } from "../../../loopback.js";
import { configJson } from "../../config-file.js";
import { api, receiverOf, refusingReceiver, serverOf, track } from "../../server.js";
import { createTestHost, run } from "../../test-host.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";

/** A server with two destinations, one of which refuses every message. */
async function withDeliveries(calls: number) {
  const receiver = await receiverOf();
  const destinations = [
    { id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] },
    { id: "mail", sources: ["website"], endpoints: [{ url: await refusingReceiver() }] },
  ];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  for (let call = 1; call <= calls; call += 1) await track(server.url, { messageId: `m${String(call)}` });
  const settled = async () =>
    (await (await api(server.url, "deliveries?limit=500", TOKEN)).json()).deliveries.filter(
      ({ state }: { state: string }) => state === "delivered" || state === "dead",
    );
  await expect.poll(settled).toHaveLength(2 * calls);
  const list = (...words: readonly string[]) => run(["deliveries", "--url", server.url, "--token", TOKEN, ...words]);
  const show = (...words: readonly string[]) => run(["show", "--url", server.url, "--token", TOKEN, ...words]);
  return { list, show, url: server.url };
}

/** A server that answers each page with the same deliveries, and says that there is always another page. */
async function endless(deliveries: readonly object[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify({ deliveries, next: `page-${String(asked.length)}` }));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, asked };
}

describe("postrider deliveries", () => {
  it("lists deliveries as a table, newest first, with why they are dead", async () => {
    const { list } = await withDeliveries(2);
    const { code, out, err } = await list("--state", "dead");
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out).toEqual([
      expect.stringMatching(/^id +state +cause +tries +destination +source +type +message id +accepted$/),
      expect.stringMatching(/^\d+ +dead +refused, 422 +\d +mail +website +track +m2 +\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
      expect.stringMatching(/ m1 /),
    ]);
  });

  it.each([
    [["--destination", "crm"], 2],
    [["--message-id", "m1"], 2],
    [["--source", "website", "--type", "track", "--limit", "3"], 3],
    [["--type", "page"], 0],
    [["--state", "dead,waiting"], 2],
    [["--reason", "refused"], 2],
    [["--status", "422"], 2],
    [["--status", "4xx", "--fault", "timeout"], 2],
    [["--fault", "timeout"], 0],
    [["--user", "u1"], 4],
    [["--user", "u2"], 0],
    [["--not-replayed", "--state", "dead"], 2],
    [["--until", "2020-01-01"], 0],
    [["--since", "2100-01-01"], 0],
    [["--since", "2020-01-01"], 4],
  ])("filters with %j", async (words, count) => {
    const { list } = await withDeliveries(2);
    const { code, out } = await list("--json", ...words);
    expect({ code, count: out.length }).toEqual({ code: 0, count });
    expect((await list("--count", ...words)).out).toEqual([words.includes("--limit") ? "4" : String(count)]);
  });

  it("prints lines of JSON, each a delivery as the API has it", async () => {
    const { list, url } = await withDeliveries(1);
    const { out } = await list("--json");
    const { deliveries } = await (await api(url, "deliveries", TOKEN)).json();
    expect(out.map((line) => JSON.parse(line))).toEqual(deliveries);
  });

  it("says where a list ended, so that another goes on there", async () => {
    const { list } = await withDeliveries(2);
    const first = await list("--json", "--limit", "3");
    const [, cursor] = /^more are left; to go on, add --after (\S+)$/.exec(first.err[0] ?? "") ?? [];
    const second = await list("--json", "--after", cursor!);
    expect(second.err).toEqual([]);
    const ids = [...first.out, ...second.out].map((line) => JSON.parse(line).id);
    expect(new Set(ids).size).toBe(4);
  });

  it("says on standard error that nothing matches", async () => {
    const { list } = await withDeliveries(0);
    expect(await list()).toEqual({ code: 0, out: [], err: ["no deliveries match"] });
  });

  it("asks for at most 1,000 pages", async () => {
    const { url, asked } = await endless([]);
    const { code, err } = await run(["deliveries", "--url", url, "--token", TOKEN]);
    expect({ code, err, asked: asked.length }).toEqual({
      code: 0,
      err: ["more are left; to go on, add --after page-1000"],
      asked: 1_000,
    });
    expect(asked.at(-1)).toBe("/api/deliveries?after=page-999&limit=50");
  });

  it("ends with the first page that is older than --since", async () => {
    const { url, asked } = await endless([{ id: "1", acceptedAt: "2026-01-31T12:00:00.000Z" }]);
    const { out } = await run(["deliveries", "--url", url, "--token", TOKEN, "--json", "--since", "2026-02-01"]);
    expect({ out, asked: asked.length }).toEqual({ out: [], asked: 1 });
  });

  it("fits the width of a terminal, and shows what is missing as a dash", async () => {
    const id = "i".repeat(30);
    const { url } = await endless([{ id, state: "waiting", messageId: "m".repeat(90), destination: "d".repeat(90) }]);
    const host = { ...createTestHost(), columns: () => 110 };
    await runProgram(host, ["deliveries", "--url", url, "--token", TOKEN, "--limit", "1"]);
    expect(host.lines.out[1]).toMatch(new RegExp(`^${id}  waiting  -      -      d+…  -       -     m+…  -$`));
    expect(host.lines.out[1]?.length).toBeLessThanOrEqual(110);
  });

  it("has status 1 if the token is wrong, and 2 for a state that is none", async () => {
    const { url, list } = await withDeliveries(0);
    expect(await run(["deliveries", "--url", url, "--token", "wrong"])).toEqual({
      code: 1,
      out: [],
      err: [
        `postrider: the server answered 401 unauthorized: the token is not the apiToken of its config; correct --token-file, --token or POSTRIDER_TOKEN (see ${errorDocs("http-unauthorized")})`,
      ],
    });
    for (const words of [
      ["--state", "gone"],
      ["--state", "dead,"],
      ["--status", "5"],
      ["--fault", "slow"],
    ])
      expect((await list(...words)).code).toBe(2);
    expect((await list("--limit", "0")).code).toBe(2);
  });
});

describe("postrider show", () => {
  it("shows a dead delivery with its reason and its attempts, and no message", async () => {
    const { list, show } = await withDeliveries(1);
    const { id } = JSON.parse((await list("--json", "--state", "dead")).out[0]!);
    const { code, out } = await show(id);
    expect(code).toBe(0);
    expect(out).toEqual(
      expect.arrayContaining([
        `delivery      ${id}`,
        "state         dead",
        "reason        refused, 422",
        "destination   mail",
        "message id    m1",
        expect.stringMatching(/^round {2}started {19}took +answer +verdict +endpoint$/),
        expect.stringMatching(/^1 +\d{4}-\S+Z +\d+ ms +422 +refused +http:\/\/127\.0\.0\.1:\d+\/$/),
      ]),
    );
    expect(out.join("\n")).not.toContain("Signed Up");
  });

  it("shows the message on request, and everything as one line of JSON", async () => {
    const { list, show, url } = await withDeliveries(1);
    const { id } = JSON.parse((await list("--json", "--state", "delivered")).out[0]!);
    expect((await show(id, "--message")).out.join("\n")).toContain('"event": "Signed Up"');
    expect((await show(id, "--json")).out.map((line) => JSON.parse(line))).toEqual([
      await (await api(url, `deliveries/${id}`, TOKEN)).json(),
    ]);
  });

  it("shows when a waiting delivery is tried next, and what its receiver answered", async () => {
    const receiver = createServer((_, response) => response.writeHead(503).end("try again\nlater\u001b[2J"));
    const port = await listen(receiver);
    onTestFinished(() => close(receiver));
    const destinations = [
      { id: "crm", sources: ["website"], endpoints: [{ url: `http://127.0.0.1:${String(port)}/?token=hidden` }] },
    ];
    const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
    await track(server.url);
    const shown = async () => {
      const { out } = await run(["deliveries", "--url", server.url, "--token", TOKEN, "--json"]);
      return (await run(["show", "--url", server.url, "--token", TOKEN, JSON.parse(out[0]!).id])).out;
    };
    await expect.poll(shown).toEqual(expect.arrayContaining(["last answer   503"]));
    const out = await shown();
    expect(out).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^next attempt  \d{4}-\S+Z \((?:in \d+.*|due now)\)$/),
        expect.stringMatching(/^round \d+, http:\/\/127\.0\.0\.1:\d+\/\?token=\*\*\* answered:$/),
        "try again",
        "later\u001b[2J",
      ]),
    );
    expect(out.join("\n")).not.toContain("hidden");
  });

  it("has status 1 for a delivery that does not exist", async () => {
    const { show } = await withDeliveries(0);
    expect(await show("17")).toEqual({
      code: 1,
      out: [],
      err: [
        `postrider: the server answered 404 not-found: there is no such delivery, or it was removed (see ${errorDocs("http-not-found")})`,
      ],
    });
  });
});
