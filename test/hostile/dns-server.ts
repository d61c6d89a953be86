// A DNS server on 127.0.0.1 that answers for each name what a test says: addresses, a chain of aliases, a failure, or
// nothing. Answers A and AAAA over UDP, and long answers over TCP.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { listenOnBoth } from "./listen-on-both.js";

/** The answer for a name; any other name does not exist. */
export type Said =
  | { readonly kind: "addresses"; readonly a?: readonly string[]; readonly aaaa?: readonly string[] }
  /** Aliases, each of the next, and the addresses of the last. */
  | { readonly kind: "aliases"; readonly names: readonly string[]; readonly a: readonly string[] }
  | { readonly kind: "fails" }
  | { readonly kind: "hangs" };

export interface DnsServer {
  /** For `setServers`. */
  readonly address: string;
  /** Questions that came in, as `A receiver.example`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface Question {
  readonly name: string;
  readonly type: number;
  /** As it was written in the query. */
  readonly bytes: Buffer;
}

const A = 1;
const CNAME = 5;
const AAAA = 28;
const MAX_UDP_BYTES = 512;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** Calls `say` for each question. */
export async function startDnsServer(say: (name: string) => Said | undefined): Promise<DnsServer> {
  const asked: string[] = [];
  const udp = createSocket("udp4");
  const tcp = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .on("data", (query) => {
        const answer = reply(query.subarray(2));
        if (answer === undefined) return;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      });
  });
  udp.on("message", (query, { port, address }) => {
    const answer = reply(query);
    if (answer !== undefined) udp.send(answer.length > MAX_UDP_BYTES ? truncate(answer) : answer, port, address);
  });
  const port = await listenOnBoth(udp, tcp);
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };

  function reply(query: Buffer): Buffer | undefined {
    const question = readQuestion(query);
    asked.push(`${question.type === A ? "A" : "AAAA"} ${question.name}`);
    const said = say(question.name);
    return said?.kind === "hangs" ? undefined : writeAnswer(query, question, said);
  }
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), bytes: query.subarray(12, at + 5) };
}

function writeAnswer(query: Buffer, { name, type, bytes }: Question, said: Said | undefined): Buffer {
  const records = said === undefined ? [] : recordsOf(name, type, said);
  const code = said === undefined ? NAME_ERROR : said.kind === "fails" ? SERVER_FAILURE : 0;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
}

/** As the answer of a server that is too long for UDP: the client has to ask over TCP. */
function truncate(answer: Buffer): Buffer {
  const cut = Buffer.from(answer.subarray(0, MAX_UDP_BYTES));
  cut.writeUInt16BE(cut.readUInt16BE(2) | 0x0200, 2);
  const questionEnd = cut.indexOf(0, 12) + 5;
  cut.writeUInt16BE(0, 6);
  return cut.subarray(0, questionEnd);
}

function recordsOf(name: string, type: number, said: Said): readonly Buffer[] {
  switch (said.kind) {
    case "addresses":
      return addressRecords(name, type, said.a ?? [], said.aaaa ?? []);
    case "aliases": {
      const chain = [name, ...said.names];
      const aliases = said.names.map((next, index) => record(chain[index]!, CNAME, encodeName(next)));
      return [...aliases, ...addressRecords(chain.at(-1)!, type, said.a, [])];
    }
    case "fails":
    case "hangs":
      return [];
  }
}

function addressRecords(name: string, type: number, a: readonly string[], aaaa: readonly string[]): readonly Buffer[] {
  if (type === A) return a.map((address) => record(name, A, Buffer.from(address.split(".").map(Number))));
  return type === AAAA ? aaaa.map((address) => record(name, AAAA, encodeIpv6(address))) : [];
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fields, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").flatMap((label) => [Buffer.of(label.length), Buffer.from(label, "latin1")]);
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** Of an address without dots in it. */
function encodeIpv6(address: string): Buffer {
  const [before = "", after] = address.split("::");
  const groups = (text: string | undefined): number[] =>
    (text ?? "")
      .split(":")
      .filter(Boolean)
      .map((part) => parseInt(part, 16));
  const [first, last] = [groups(before), groups(after)];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
