import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import {
  type AskDns,
  createResolveName,
  type ResolveName,
  type ResolveNameOptions,
} from "../../packages/undici/src/resolve-name.js";
import { nameFiles, type NameFileTexts } from "../hostile/name-files.js";

const rejectWith = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
const never: ResolveName = (host) => Promise.reject(new Error(`not to be asked: ${host}`));

/** What is asked, and what DNS says: addresses, or a code; any other name is unknown to it. */
function world(
  files: NameFileTexts,
  dns: Readonly<Record<string, readonly string[] | string>> = {},
  askSystem: ResolveName = never,
) {
  const asked: string[] = [];
  const askDns: AskDns = async (name) => {
    asked.push(name);
    const said = dns[name] ?? "ENOTFOUND";
    return typeof said === "string" ? rejectWith(said) : said;
  };
  const options: ResolveNameOptions = {
    clock: createManualClock(),
    readFiles: async () => nameFiles(files),
    askDns,
    askSystem: (host) => {
      asked.push(`system: ${host}`);
      return askSystem(host);
    },
  };
  return { resolve: createResolveName(options), asked };
}

const SEARCH = "search dev.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5";

describe("resolving a name", () => {
  it("takes /etc/hosts before DNS, with all lines of a name, whatever the case", async () => {
    const hosts = "10.0.0.5 hooks.partner.com\n# 10.0.0.9 hooks.partner.com\nfd00::5\talias HOOKS.Partner.com # here\n";
    const { resolve, asked } = world({ hosts }, { "hooks.partner.com": ["93.184.216.34"] });
    expect(await resolve("hooks.partner.com")).toEqual(["10.0.0.5", "fd00::5"]);
    expect(await resolve("alias")).toEqual(["fd00::5"]);
    expect(asked).toEqual([]);
  });

  it("asks DNS first where nsswitch.conf says so", async () => {
    const files = { hosts: "10.0.0.5 a.example b.example", nsswitch: "hosts: dns files" };
    const { resolve } = world(files, { "a.example": ["93.184.216.34"], "b.example": "ESERVFAIL" });
    expect(await resolve("a.example")).toEqual(["93.184.216.34"]);
    expect(await resolve("b.example")).toEqual(["10.0.0.5"]);
  });

  it("asks no DNS where nsswitch.conf names files alone", async () => {
    const { resolve, asked } = world({ nsswitch: "hosts: files" }, { "a.example": ["93.184.216.34"] });
    await expect(resolve("a.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect(asked).toEqual([]);
  });

  it("tries the search list first for a name with fewer dots than ndots", async () => {
    const dns = { "orders.dev.svc.cluster.local": ["10.96.0.5"], "orders.dev": ["93.184.216.34"] };
    const { resolve, asked } = world({ resolvConf: SEARCH }, dns);
    expect(await resolve("orders.dev")).toEqual(["10.96.0.5"]);
    expect(asked).toEqual(["orders.dev.dev.svc.cluster.local", "orders.dev.svc.cluster.local"]);
  });

  it("tries the name as it is first if it has as many dots, and the search list then", async () => {
    const resolvConf = "search corp.example";
    const { resolve, asked } = world({ resolvConf }, { "a.b.corp.example": ["10.0.0.5"] });
    expect(await resolve("a.b")).toEqual(["10.0.0.5"]);
    expect(asked).toEqual(["a.b", "a.b.corp.example"]);
    const direct = world({ resolvConf }, { "a.b": ["93.184.216.34"], "a.b.corp.example": ["10.0.0.5"] });
    expect(await direct.resolve("a.b")).toEqual(["93.184.216.34"]);
  });

  it("searches for no name that ends with a dot", async () => {
    const { resolve, asked } = world({ resolvConf: SEARCH }, { "orders.dev.": ["93.184.216.34"] });
    expect(await resolve("orders.dev.")).toEqual(["93.184.216.34"]);
    expect(asked).toEqual(["orders.dev."]);
  });

  it.each(["ESERVFAIL", "EREFUSED", "ENODATA"])(
    "goes on with the search list when a name in it is %s",
    async (code) => {
      const dns = { "a.example.dev.svc.cluster.local": code, "a.example": ["93.184.216.34"] };
      const { resolve } = world({ resolvConf: SEARCH }, dns);
      expect(await resolve("a.example")).toEqual(["93.184.216.34"]);
    },
  );

  it.each(["ETIMEOUT", "ECONNREFUSED"])(
    "leads nowhere else when DNS does not answer for the first name: %s",
    async (code) => {
      const dns = { "orders.dev.dev.svc.cluster.local": code, "orders.dev": ["93.184.216.34"] };
      const { resolve, asked } = world({ resolvConf: SEARCH }, dns);
      await expect(resolve("orders.dev")).rejects.toMatchObject({ code });
      expect(asked).toEqual(["orders.dev.dev.svc.cluster.local"]);
    },
  );

  it("tells a failing server from a name that is unknown everywhere", async () => {
    const { resolve } = world({ resolvConf: SEARCH }, { "a.example.svc.cluster.local": "ESERVFAIL" });
    await expect(resolve("a.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
    await expect(resolve("b.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("asks the system where nsswitch.conf names a further source before DNS", async () => {
    const nsswitch = "hosts: files mdns4_minimal [NOTFOUND=return] dns";
    const files = { hosts: "10.0.0.5 here.example", nsswitch };
    const { resolve, asked } = world(files, {}, async () => ["10.0.0.6"]);
    expect(await resolve("here.example")).toEqual(["10.0.0.5"]);
    expect(await resolve("there.example")).toEqual(["10.0.0.6"]);
    expect(asked).toEqual(["system: there.example"]);
  });

  it("asks a further source after DNS only for what DNS does not know", async () => {
    const { resolve, asked } = world(
      { nsswitch: "hosts: files dns myhostname" },
      { "a.example": ["93.184.216.34"], "c.example": "ETIMEOUT" },
      async () => ["10.0.0.6"],
    );
    expect(await resolve("a.example")).toEqual(["93.184.216.34"]);
    expect(await resolve("b.example")).toEqual(["10.0.0.6"]);
    await expect(resolve("c.example")).rejects.toMatchObject({ code: "ETIMEOUT" });
    expect(asked).toEqual(["a.example", "b.example", "system: b.example", "c.example"]);
  });

  it.each([
    ["a broken domain", "ESERVFAIL", "ESERVFAIL"],
    ["a resolver that is gone", "ECONNREFUSED", "ECONNREFUSED"],
    ["trouble that DNS does not have", ["93.184.216.34"], "EAI_AGAIN"],
  ] as const)("tells %s from the rest where the system says only to try again", async (_, said, code) => {
    const nsswitch = "hosts: files resolve [!UNAVAIL=return] dns";
    const { resolve } = world({ nsswitch }, { "a.example": said }, () => rejectWith("EAI_AGAIN"));
    await expect(resolve("a.example")).rejects.toMatchObject({ code });
  });

  it("asks the system for a name of multicast DNS, and DNS for a service of a cluster", async () => {
    const dns = { "orders.dev.svc.cluster.local": ["10.96.0.5"] };
    const { resolve, asked } = world({}, dns, async () => ["169.254.7.7"]);
    expect(await resolve("printer.local")).toEqual(["169.254.7.7"]);
    expect(await resolve("orders.dev.svc.cluster.local")).toEqual(["10.96.0.5"]);
    expect(asked).toEqual(["system: printer.local", "orders.dev.svc.cluster.local"]);
  });

  it.each(["localhost", "localhost.", "app.localhost"])(
    "takes %s for this machine, and asks for it nowhere",
    async (host) => {
      const { resolve, asked } = world({ nsswitch: "hosts: dns" }, { [host]: ["93.184.216.34"] });
      expect(await resolve(host)).toEqual(["127.0.0.1", "::1"]);
      expect(await world({ hosts: "127.0.0.1 localhost app.localhost" }).resolve("localhost")).toEqual(["127.0.0.1"]);
      expect(asked).toEqual([]);
    },
  );

  it("asks once for the same name at the same time, and again later", async () => {
    const answers = { "a.example": ["192.0.2.1"], "b.example": ["192.0.2.2"] };
    const { resolve, asked } = world({}, answers);
    await Promise.all([resolve("a.example"), resolve("a.example"), resolve("b.example")]);
    expect(asked.toSorted()).toEqual(["a.example", "b.example"]);
    await resolve("a.example");
    expect(asked.length).toBe(3);
  });

  it("asks again after a failure", async () => {
    const answers = [rejectWith("ESERVFAIL"), Promise.resolve(["192.0.2.1"])];
    const clock = createManualClock();
    const readFiles = async () => nameFiles({});
    const resolve = createResolveName({ clock, readFiles, askDns: () => answers.shift()!, askSystem: never });
    await expect(resolve("a.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
    expect(await resolve("a.example")).toEqual(["192.0.2.1"]);
  });

  it("leads nowhere when the files cannot be read for want of descriptors", async () => {
    const clock = createManualClock();
    const readFiles = () => rejectWith("EMFILE");
    const resolve = createResolveName({ clock, readFiles, askDns: never, askSystem: never });
    await expect(resolve("a.example")).rejects.toMatchObject({ code: "EMFILE" });
  });
});
