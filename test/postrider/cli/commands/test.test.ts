import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { receiverOf, refusingReceiver, serverOf } from "../../server.js";
import { run } from "../../test-host.js";

async function server(urls: readonly string[]) {
  const endpoints = urls.map((url) => ({ url }));
  const destinations = [{ id: "crm", sources: ["website"], endpoints, enabled: false }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  return (...words: readonly string[]) => run(["test", ...words, "--url", server.url, "--token", TOKEN]);
}

describe("postrider test", () => {
  it("shows what each endpoint answers, and ends with 0 if one took the event", async () => {
    const taking = await receiverOf();
    const refusing = await refusingReceiver();
    const test = await server([refusing, taking.url]);
    const { code, out } = await test("crm");
    expect(code).toBe(0);
    const rows = out.map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .filter((_, column) => column !== 2),
    );
    expect(rows.slice(0, 3)).toEqual([
      ["endpoint", "answer", "verdict"],
      [refusing, "422", "refused"],
      [`${taking.url}/`, "200", "success"],
    ]);
    expect(out.at(-1)).toBe("a delivery would be delivered: one endpoint has to take it");
    expect(taking.messages).toHaveLength(1);
  });

  it("ends with 1 if none took it, and says what that means for a delivery", async () => {
    const refusing = await server([await refusingReceiver()]);
    expect(await refusing("crm")).toMatchObject({ code: 1 });
    expect((await refusing("crm")).out.at(-1)).toMatch(/^a delivery would be dead: every endpoint refused it/);
    const unreachable = await server(["http://127.0.0.1:9/"]);
    const { code, out } = await unreachable("crm");
    expect([code, out.at(-1)]).toEqual([1, "a delivery would be tried again: no endpoint took it"]);
    expect(out[1]).toContain("connection-refused");
  });

  it("sends a call of the caller's choice, and prints the report as JSON", async () => {
    const receiver = await receiverOf();
    const test = await server([receiver.url]);
    const { code, out } = await test("crm", "--json", "--call", '{"type":"group","userId":"u1","groupId":"g1"}');
    expect(code).toBe(0);
    expect(JSON.parse(out.join("\n"))).toMatchObject({ destination: "crm", attempts: [{ status: 200 }] });
    expect(receiver.messages[0]).toMatchObject({ groupId: "g1", context: { test: true } });
  });

  it("says what is wrong with a call, and that a destination does not exist", async () => {
    const test = await server([(await receiverOf()).url]);
    const wrong = await test("crm", "--call", '{"type":"track","userId":"u1"}');
    expect([wrong.code, wrong.err.join()]).toEqual([1, expect.stringContaining("bad-test: call.event: expected")]);
    const unknown = await test("crn");
    expect([unknown.code, unknown.err.join()]).toEqual([1, expect.stringContaining("no such destination")]);
    expect((await test()).code).toBe(2);
    expect((await test("crm", "--call", "x")).code).toBe(2);
  });
});
