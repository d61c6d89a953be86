import { createSystemClock } from "@postrider/system";
import { afterEach, describe, expect, it } from "vitest";
import { createAskDns } from "../../packages/undici/src/resolve-name.js";
import { DNS_TRIES, DNS_TRY_MS } from "../../packages/undici/src/limits.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { type DnsServer, type Said, startDnsServer } from "../hostile/dns-server.js";

const SETTINGS = { servers: [], tryMs: DNS_TRY_MS, tries: DNS_TRIES };

describe("asking DNS", () => {
  let server: DnsServer | undefined;

  afterEach(() => server?.close());

  async function ask(host: string, said: Said | undefined, clock = createSystemClock()): Promise<readonly string[]> {
    server = await startDnsServer(() => said);
    return createAskDns(clock, [server.address])(host, SETTINGS);
  }

  it("resolves with addresses of both kinds", async () => {
    const said: Said = { kind: "addresses", a: ["192.0.2.1", "192.0.2.2"], aaaa: ["2001:db8::1"] };
    expect(await ask("receiver.example", said)).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
    expect(server?.asked.toSorted()).toEqual(["A receiver.example", "AAAA receiver.example"]);
  });

  it("asks for exactly this name, whatever the system's search list", async () => {
    expect(await ask("receiver", { kind: "addresses", a: ["192.0.2.1"] })).toEqual(["192.0.2.1"]);
    expect(server?.asked.toSorted()).toEqual(["A receiver", "AAAA receiver"]);
  });

  it("resolves with the addresses of one kind where there is no other", async () => {
    expect(await ask("receiver.example", { kind: "addresses", aaaa: ["2001:db8::1"] })).toEqual(["2001:db8::1"]);
  });

  it.each(["A", "AAAA"] as const)("does not wait for a server that never answers about %s", async (hangs) => {
    const clock = createSkippingClock();
    const said: Said = { kind: "addresses", hangs, a: ["192.0.2.1"], aaaa: ["2001:db8::1"] };
    const state = { isDone: false };
    const asking = ask("half.example", said, clock).finally(() => (state.isDone = true));
    // Until the answer has come, there is no timer to skip.
    while (!state.isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.skip(10_000);
    }
    expect(await asking).toEqual(hangs === "A" ? ["2001:db8::1"] : ["192.0.2.1"]);
  });

  it("resolves with the addresses at the end of a chain of aliases", async () => {
    const said: Said = { kind: "aliases", names: ["b.example", "c.example"], a: ["192.0.2.1"] };
    expect(await ask("a.example", said)).toEqual(["192.0.2.1"]);
  });

  it("resolves with all of three hundred addresses", async () => {
    const a = Array.from({ length: 300 }, (_, index) => `192.0.${String(index >> 8)}.${String(index & 255)}`);
    expect((await ask("many.example", { kind: "addresses", a })).length).toBe(300);
  });

  it("rejects with the code of DNS: an unknown name, or servers that fail", async () => {
    await expect(ask("nobody.example", undefined)).rejects.toMatchObject({ code: "ENOTFOUND" });
    await server?.close();
    await expect(ask("empty.example", { kind: "addresses" })).rejects.toMatchObject({ code: "ENODATA" });
    await server?.close();
    await expect(ask("broken.example", { kind: "fails" })).rejects.toMatchObject({ code: "ESERVFAIL" });
  });
});
