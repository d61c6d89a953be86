// No address of the operator's network is reached by a URL, by DNS, or by a redirect: no connection at listeners on
// 127.0.0.1, ::1 and 0.0.0.0, in any spelling (promise A9).

import { readFileSync } from "node:fs";
import type { Reply } from "@postrider/core";
import { createFetchHttp } from "@postrider/fetch";
import { createSystemClock } from "@postrider/system";
import { answeringScript, type ReceiverScript, startReceiver } from "@postrider/testkit/hostile-receivers";
import {
  createUndiciHttp,
  type Network,
  type ResolveName,
  type UndiciHttp,
  type UndiciHttpOptions,
} from "@postrider/undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAskDns, createResolveName } from "../../packages/undici/src/resolve-name.js";
import { type Canaries, startCanaries } from "./canaries.js";
import { type Said, startDnsServer } from "./dns-server.js";
import { post, wordFor } from "./measure.js";
import { nameFiles } from "./name-files.js";

const corpus = JSON.parse(readFileSync(new URL("../vectors/addresses.json", import.meta.url), "utf8")) as {
  readonly refused: readonly { readonly text: string }[];
  readonly allowed: readonly string[];
  readonly noAddress: readonly string[];
  readonly urls: readonly { readonly host: string }[];
};

const REFUSED = corpus.refused.map(({ text }) => text);
const NAMES = ["localhost", "LOCALHOST"];
/** A public address. It is never dialled here, since it comes beside a refused one. */
const PUBLIC = "198.41.0.4";
const PUBLIC_IPV6 = "2606:4700::1111";
const TIMEOUT_MS = 60_000;
const AT_ONCE = 40;
/** An address of this machine that plays the public one. */
const STAND_IN = "127.0.0.2";

const clock = createSystemClock();
let canaries: Canaries;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  canaries = await startCanaries();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await canaries.close();
});

function open(options: Partial<UndiciHttpOptions> = {}): UndiciHttp {
  const http = createUndiciHttp({ clock, ...options });
  opened.push(http);
  return http;
}

async function openReceiver(script: ReceiverScript) {
  const receiver = await startReceiver(script, clock);
  opened.push(receiver);
  return receiver;
}

/** As a URL has it. */
function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function everyUrl(hosts: readonly string[]): readonly string[] {
  const places = hosts.flatMap((host) => canaries.ports.map((port) => `${host}:${String(port)}/hook`));
  return places.flatMap((place) => [`http://${place}`, `https://${place}`]);
}

async function expectRefused(http: UndiciHttp, urls: readonly string[]): Promise<void> {
  const replies: Reply[] = [];
  // Fewer at once than the limit of an adapter, and a socket of DNS.
  for (let from = 0; from < urls.length; from += AT_ONCE) {
    const batch = urls.slice(from, from + AT_ONCE);
    replies.push(...(await Promise.all(batch.map((url) => http.send(post(url, TIMEOUT_MS))))));
  }
  const words = replies.map((reply, index) => [urls[index], wordFor(reply)]);
  expect(words.filter(([, word]) => word !== "forbidden-address")).toEqual([]);
  expect(canaries.connections()).toBe(0);
}

describe("no canary is reached", () => {
  it("by any spelling in a URL", async () => {
    const hosts = [...corpus.urls.map(({ host }) => host), ...REFUSED.map(hostOf), ...NAMES];
    await expectRefused(open(), everyUrl(hosts));
  });

  it("by any answer of a resolver, even one that is no address", async () => {
    const answers = [...REFUSED, ...corpus.noAddress];
    const names = new Map(answers.map((answer, index) => [`n${String(index)}.example`, [answer]]));
    await expectRefused(open({ resolve: async (host) => names.get(host) ?? [] }), everyUrl([...names.keys()]));
  });

  it("by any answer that stands beside a public one, first or last or behind many", async () => {
    const mixes = REFUSED.flatMap((address) => [
      [PUBLIC, address],
      [address, PUBLIC_IPV6],
      [...Array.from({ length: 20 }, () => PUBLIC), address],
    ]);
    const names = new Map(mixes.map((mix, index) => [`n${String(index)}.example`, mix]));
    await expectRefused(open({ resolve: async (host) => names.get(host) ?? [] }), everyUrl([...names.keys()]));
  });

  it("by the answers of a DNS server: addresses, mixes, chains of aliases, three hundred at once", async () => {
    const many = Array.from({ length: 299 }, (_, index) => `198.41.${String(index >> 8)}.${String(index & 255)}`);
    const said = new Map<string, Said>([
      ["mixed.example", { kind: "addresses", a: [PUBLIC, "127.0.0.1"] }],
      ["six.example", { kind: "addresses", a: [PUBLIC], aaaa: ["::1"] }],
      ["mapped.example", { kind: "addresses", aaaa: ["::ffff:7f00:1"] }],
      ["alias.example", { kind: "aliases", names: ["b.example", "c.example"], a: ["127.0.0.1"] }],
      ["many.example", { kind: "addresses", a: [...many, "127.0.0.1"] }],
      ...REFUSED.map((text, index): [string, Said] => [`n${String(index)}.example`, sayAddress(text)]),
    ]);
    const server = await startDnsServer((name) => said.get(name));
    opened.push(server);
    const urls = [...said.keys()].map((host) => `http://${host}:${String(canaries.ports[0])}/`);
    await expectRefused(open({ resolve: askOnly(server.address) }), urls);
  });

  it("by an answer that changes after its check: the checked address is dialled, without another look-up", async () => {
    const answers = [[STAND_IN], ["127.0.0.1"]];
    let asked = 0;
    const resolve: ResolveName = async () => answers[Math.min((asked += 1), 2) - 1]!;
    const http = open({ network: { allow: [`${STAND_IN}/32`] }, resolve });
    // No process listens there: a dial of the second answer would be seen by the canary on that port.
    const url = `http://rebinding.example:${String(canaries.ports[0])}/`;
    expect(wordFor(await http.send(post(url, TIMEOUT_MS)))).toBe("connection-refused");
    expect(asked).toBe(1);
    expect(wordFor(await http.send(post(url, TIMEOUT_MS)))).toBe("forbidden-address");
    expect(canaries.connections()).toBe(0);
  });

  it.each(["undici", "fetch"])("by a redirect to any of them, over %s", async (adapter) => {
    const network = { allow: ["127.0.0.1/32"] };
    const http = adapter === "undici" ? open({ network }) : createFetchHttp({ clock });
    const hosts = [...corpus.urls.map(({ host }) => host), ...REFUSED.slice(0, 20).map(hostOf), ...NAMES];
    const words: string[] = [];
    for (const [index, url] of everyUrl(hosts).entries()) {
      const status = [301, 302, 303, 307, 308][index % 5]!;
      // URL parsers write what is no ASCII as bytes; a header carries no more.
      const location = Buffer.from(url, "utf8").toString("latin1");
      const text = `HTTP/1.1 ${String(status)} X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
      const receiver = await startReceiver({ steps: [{ kind: "reads" }, { kind: "says", text }] }, clock);
      words.push(wordFor(await http.send(post(receiver.url, TIMEOUT_MS))));
      await receiver.close();
    }
    expect(words.filter((word) => !word.startsWith("30"))).toEqual([]);
    expect(canaries.connections()).toBe(0);
  });
});

describe("what an operator allows", () => {
  it("allows nothing else: no address that only contains an allowed one, or leads to the loopback of a gateway", async () => {
    const isOfIpv4 = (text: string): boolean => /^[0:]*:?ffff:/i.test(text) || text === "::";
    const isTranslated = (text: string): boolean => /^64:ff9b::(?!7f00|127|a9fe|$)/i.test(text);
    const holding = REFUSED.filter((text) => text.includes(":") && !isOfIpv4(text) && !isTranslated(text));
    const names = new Map(holding.map((text, index) => [`n${String(index)}.example`, [text]]));
    const http = open({ network: { allow: ["0.0.0.0/0"] }, resolve: async (host) => names.get(host) ?? [] });
    await expectRefused(http, everyUrl([...names.keys(), ...holding.map(hostOf)]));
  });

  it("is checked again on the socket, before a byte is sent: 0.0.0.0 leads to 127.0.0.1, which is not allowed", async () => {
    const http = open({ network: { allow: ["0.0.0.0/32"] } });
    const port = String(canaries.ports[0]);
    for (const url of [`http://0.0.0.0:${port}/`, `https://0.0.0.0:${port}/`]) {
      expect(wordFor(await http.send(post(url, TIMEOUT_MS)))).toBe("forbidden-address");
    }
    expect(canaries.bytes()).toBe(0);
  });

  it("never includes the addresses on which the host itself listens, in any spelling", async () => {
    const network: Network = { allow: ["0.0.0.0/0", "::/0"] };
    const refuse = () => canaries.places;
    const http = open({ network, refuse, resolve: async () => ["127.0.0.1"] });
    const [first, second, third] = canaries.ports.map(String);
    await expectRefused(http, [
      ...["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0.0.0.0", "[::]", "own.example"].map(
        (host) => `http://${host}:${first!}/`,
      ),
      ...["[::1]", "[::]"].map((host) => `http://${host}:${second!}/`),
      ...["127.0.0.1", "127.8.8.8", "0.0.0.0", "[::1]", "own.example"].map((host) => `https://${host}:${third!}/`),
    ]);
    const other = await openReceiver(answeringScript(204));
    expect(wordFor(await http.send(post(other.url, TIMEOUT_MS)))).toBe("204");
  });
});

/** By DNS alone. */
function askOnly(server: string): ResolveName {
  const readFiles = async () => nameFiles({});
  return createResolveName({ clock, readFiles, askDns: createAskDns(clock, [server]), askSystem: async () => [] });
}

function sayAddress(text: string): Said {
  if (!text.includes(":")) return { kind: "addresses", a: [text] };
  // Without dots, as it goes over the wire.
  return { kind: "addresses", aaaa: [new URL(`http://[${text}]/`).hostname.slice(1, -1)] };
}
