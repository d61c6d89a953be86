import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_NAME_FILE_BYTES, MAX_NAME_FILE_LINES, NAME_FILES_AGE_MS } from "../../packages/undici/src/limits.js";
import {
  createReadNameFiles,
  readHosts,
  readNameSources,
  namesToAsk,
  readResolvConf,
} from "../../packages/undici/src/name-files.js";
import { nameFiles } from "../hostile/name-files.js";

function open() {
  const folder = mkdtempSync(join(tmpdir(), "postrider-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = {
    hosts: join(folder, "hosts"),
    resolvConf: join(folder, "resolv"),
    nsswitch: join(folder, "nsswitch"),
  };
  const clock = createManualClock();
  return { paths, clock, read: createReadNameFiles(clock, paths) };
}

describe("the files of names", () => {
  it("may all be missing", async () => {
    const { read } = open();
    const { hosts, resolvConf, sources } = await read();
    expect([hosts.size, resolvConf.servers, resolvConf.ndots, sources]).toEqual([0, [], 1, ["files", "dns"]]);
  });

  it("are read again when they are five seconds old, not before", async () => {
    const { paths, clock, read } = open();
    writeFileSync(paths.hosts, "10.0.0.1 a");
    expect([...(await read()).hosts.keys()]).toEqual(["a"]);
    writeFileSync(paths.hosts, "10.0.0.1 b");
    await clock.advance(NAME_FILES_AGE_MS - 1);
    expect([...(await read()).hosts.keys()]).toEqual(["a"]);
    await clock.advance(1);
    expect([...(await read()).hosts.keys()]).toEqual(["b"]);
    rmSync(paths.hosts);
    await clock.advance(NAME_FILES_AGE_MS);
    expect((await read()).hosts.size).toBe(0);
  });

  it("are absent if they are folders, and harmless if they are no text", async () => {
    const { paths, read } = open();
    mkdirSync(paths.hosts);
    writeFileSync(paths.resolvConf, Buffer.from(Array.from({ length: 4_096 }, (_, index) => index & 255)));
    const { hosts, resolvConf } = await read();
    expect([hosts.size, resolvConf.servers, resolvConf.search]).toEqual([0, [], []]);
  });

  it("count up to their bounds, without a line that is cut", async () => {
    const { paths, read } = open();
    const line = (index: number): string => `10.0.0.1 host-${String(index).padStart(80, "0")}.example`;
    writeFileSync(paths.hosts, Array.from({ length: 20_000 }, (_, index) => line(index)).join("\n"));
    const { hosts } = await read();
    expect(hosts.size).toBe(Math.min(MAX_NAME_FILE_LINES, Math.floor(MAX_NAME_FILE_BYTES / (line(0).length + 1))));
    expect([...hosts.keys()].every((name) => name.endsWith(".example"))).toBe(true);
  });

  it("count up to ten thousand lines", () => {
    const text = Array.from({ length: MAX_NAME_FILE_LINES + 5 }, (_, index) => `10.0.0.1 h${String(index)}`).join("\n");
    expect(readHosts(text).size).toBe(MAX_NAME_FILE_LINES);
  });

  it("never throw, whatever they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        nameFiles({ hosts: text, resolvConf: text, nsswitch: text });
      }),
    );
  });
});

describe("/etc/resolv.conf", () => {
  it("tells servers, the search list and options", () => {
    const text = [
      "# by DHCP",
      "nameserver 10.0.0.2",
      "nameserver fd00::2 ; the other",
      "nameserver nonsense",
      "nameserver 10.0.0.3",
      "nameserver 10.0.0.4",
      "domain old.example",
      "search corp.example. lan",
      "options ndots:2 timeout:1 attempts:3 rotate",
    ].join("\r\n");
    expect(readResolvConf(text, "machine")).toEqual({
      servers: ["10.0.0.2", "fd00::2", "10.0.0.3"],
      search: ["corp.example", "lan"],
      ndots: 2,
      tryMs: 1_000,
      tries: 3,
    });
  });

  it("leaves what is out of bounds within them", () => {
    const { ndots, tryMs, tries, search } = readResolvConf(
      `options ndots:99 timeout:600 attempts:50\nsearch ${Array.from({ length: 99 }, (_, at) => `d${String(at)}`).join(" ")}`,
      "machine",
    );
    expect([ndots, tryMs, tries, search.length]).toEqual([15, 5_000, 3, 32]);
    expect(readResolvConf("options timeout:0 attempts:x ndots:-1", "machine")).toMatchObject({
      ndots: 1,
      tryMs: 1_000,
      tries: 2,
    });
  });

  it("searches the domain of this machine where it names none, unless it says so", () => {
    expect(readResolvConf("", "web-1.corp.example").search).toEqual(["corp.example"]);
    expect(readResolvConf("search .", "web-1.corp.example").search).toEqual([]);
    expect(readResolvConf("", "web-1").search).toEqual([]);
  });

  it("leaves the servers to the platform if one is at an address of a link", () => {
    expect(readResolvConf("nameserver fe80::1%eth0\nnameserver 10.0.0.2", "machine").servers).toEqual([]);
  });

  it("asks for the host as it is once, first or last by its dots, and for no name that is too long", () => {
    const label = fc.stringMatching(/^[a-z]{1,30}$/);
    const domain = fc.array(label, { minLength: 1, maxLength: 9 }).map((labels) => labels.join("."));
    fc.assert(
      fc.property(domain, fc.array(domain, { maxLength: 5 }), fc.nat({ max: 15 }), (host, search, ndots) => {
        const names = namesToAsk(host, { servers: [], search, ndots, tryMs: 1, tries: 1 });
        const dots = host.split(".").length - 1;
        const under = search.map((one) => `${host}.${one}`);
        const all = dots >= ndots ? [host, ...under] : [...under, host];
        expect(names).toEqual(all.filter((name) => name.length <= 253));
      }),
    );
  });
});

describe("/etc/nsswitch.conf", () => {
  it.each([
    ["hosts: files dns", ["files", "dns"]],
    ["passwd: files\nhosts:dns files # turned\n", ["dns", "files"]],
    ["hosts:\tfiles", ["files"]],
    ["hosts: files mdns4_minimal [NOTFOUND=return] dns", ["files", "system"]],
    ["hosts: files myhostname resolve [!UNAVAIL=return] dns", ["files", "system"]],
    ["hosts: files dns myhostname", ["files", "dns", "system"]],
    ["hosts: files [NOTFOUND=return] dns", ["files", "system"]],
    ["passwd: files", ["files", "dns"]],
    ["", ["files", "dns"]],
    [undefined, ["files", "dns"]],
  ] as const)("says in %j which sources are asked", (text, sources) => {
    expect(readNameSources(text, "linux")).toEqual(sources);
  });

  it("is missing on systems that have other ways", () => {
    expect(readNameSources(undefined, "darwin")).toEqual(["system"]);
    expect(readNameSources(undefined, "win32")).toEqual(["system"]);
  });
});
