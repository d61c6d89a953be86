import { afterEach, describe, expect, it } from "vitest";
import { createAskDns, createResolveName, type ResolveName } from "../../packages/undici/src/resolve-name.js";
import { type DnsServer, type Said, startDnsServer } from "../hostile/dns-server.js";

const rejectWith = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
const hang = (): Promise<never> => new Promise(() => undefined);
const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("resolving a name", () => {
  const never: ResolveName = () => Promise.reject(new Error("not to be asked"));

  it("asks only DNS for a name with a dot", async () => {
    const resolve = createResolveName({ askDns: async () => ["192.0.2.1"], askSystem: never });
    expect(await resolve("receiver.example")).toEqual(["192.0.2.1"]);
  });

  it.each(["localhost", "localhost.", "receiver"])(
    "asks the system for %s, which is not a public name",
    async (host) => {
      const resolve = createResolveName({ askDns: never, askSystem: async (asked) => [asked] });
      expect(await resolve(host)).toEqual([host]);
    },
  );

  it.each(["ENOTFOUND", "ENODATA"])("asks the system for what DNS does not know (%s)", async (code) => {
    const resolve = createResolveName({ askDns: () => rejectWith(code), askSystem: async () => ["10.0.0.1"] });
    expect(await resolve("intra.example")).toEqual(["10.0.0.1"]);
  });

  it.each(["ESERVFAIL", "ETIMEOUT", "ECONNREFUSED"])("does not ask the system when DNS fails with %s", async (code) => {
    const resolve = createResolveName({ askDns: () => rejectWith(code), askSystem: never });
    await expect(resolve("receiver.example")).rejects.toMatchObject({ code });
  });

  it("asks once for the same name at the same time, and again later", async () => {
    let asked = 0;
    const resolve = createResolveName({ askDns: async () => [`192.0.2.${String((asked += 1))}`], askSystem: never });
    const all = await Promise.all([resolve("a.example"), resolve("a.example"), resolve("b.example")]);
    expect(all).toEqual([["192.0.2.1"], ["192.0.2.1"], ["192.0.2.2"]]);
    expect(await resolve("a.example")).toEqual(["192.0.2.3"]);
  });

  it("asks again after a failure", async () => {
    const answers = [rejectWith("ESERVFAIL"), Promise.resolve(["192.0.2.1"])];
    const resolve = createResolveName({ askDns: () => answers.shift()!, askSystem: never });
    await expect(resolve("a.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
    expect(await resolve("a.example")).toEqual(["192.0.2.1"]);
  });

  it("blocks no more than two threads with names that hang, and no name that DNS knows", async () => {
    const asked: string[] = [];
    const resolve = createResolveName({
      askDns: async (host) => (host === "known.example" ? ["192.0.2.1"] : rejectWith("ENOTFOUND")),
      askSystem: (host) => {
        asked.push(host);
        return hang();
      },
    });
    for (let index = 0; index < 20; index += 1) void resolve(`hangs-${String(index)}.example`);
    await aTurn();
    expect(asked).toEqual(["hangs-0.example", "hangs-1.example"]);
    expect(await resolve("known.example")).toEqual(["192.0.2.1"]);
  });
});

describe("asking DNS", () => {
  let server: DnsServer | undefined;

  afterEach(() => server?.close());

  async function ask(host: string, said: Said | undefined): Promise<readonly string[]> {
    server = await startDnsServer(() => said);
    return createAskDns([server.address])(host);
  }

  it("resolves with addresses of both kinds", async () => {
    const said: Said = { kind: "addresses", a: ["192.0.2.1", "192.0.2.2"], aaaa: ["2001:db8::1"] };
    expect(await ask("receiver.example", said)).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
    expect(server?.asked.toSorted()).toEqual(["A receiver.example", "AAAA receiver.example"]);
  });

  it("resolves with the addresses of one kind where there is no other", async () => {
    expect(await ask("receiver.example", { kind: "addresses", aaaa: ["2001:db8::1"] })).toEqual(["2001:db8::1"]);
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
