// A DNS server on 127.0.0.1 that answers for each name what a test says: addresses, a chain of aliases, a failure, or
// nothing. Answers A and AAAA over UDP, and long answers over TCP.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { listenOnBoth } from "./listen-on-both.js";

const A = 1;
const CNAME = 5;
const AAAA = 28;
const MAX_UDP_BYTES = 512;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/**
 * Calls `say` for each question.
 *
 * @param {(name: string) => import("./dns-server.js").Said | undefined} say
 * @param {number} [wantedPort] - of UDP and TCP; any that is free if absent
 * @returns {Promise<import("./dns-server.js").DnsServer>}
 */
export async function startDnsServer(say, wantedPort = 0) {
  const asked = [];
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
  const port = await listenOnBoth(udp, tcp, () => wantedPort);
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      await new Promise((resolve) => udp.close(() => resolve()));
      await new Promise((resolve) => tcp.close(() => resolve()));
    },
  };

  function reply(query) {
    const question = readQuestion(query);
    const kind = question.type === A ? "A" : "AAAA";
    asked.push(`${kind} ${question.name}`);
    const said = say(question.name);
    return said?.kind === "hangs" || said?.hangs === kind ? undefined : writeAnswer(query, question, said);
  }
}

function readQuestion(query) {
  const labels = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), bytes: query.subarray(12, at + 5) };
}

function writeAnswer(query, { name, type, bytes }, said) {
  const records = said === undefined || isFailing(type, said) ? [] : recordsOf(name, type, said);
  const code = said === undefined ? NAME_ERROR : isFailing(type, said) ? SERVER_FAILURE : 0;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
}

function isFailing(type, said) {
  return said.kind === "fails" || (said.fails !== undefined && said.fails === (type === A ? "A" : "AAAA"));
}

/** As the answer of a server that is too long for UDP: the client has to ask over TCP. */
function truncate(answer) {
  const cut = Buffer.from(answer.subarray(0, MAX_UDP_BYTES));
  cut.writeUInt16BE(cut.readUInt16BE(2) | 0x0200, 2);
  const questionEnd = cut.indexOf(0, 12) + 5;
  cut.writeUInt16BE(0, 6);
  return cut.subarray(0, questionEnd);
}

function recordsOf(name, type, said) {
  switch (said.kind) {
    case "addresses":
      return addressRecords(name, type, said.a ?? [], said.aaaa ?? []);
    case "aliases": {
      const chain = [name, ...said.names];
      const aliases = said.names.map((next, index) => record(chain[index], CNAME, encodeName(next)));
      return [...aliases, ...addressRecords(chain.at(-1), type, said.a, [])];
    }
    case "fails":
    case "hangs":
      return [];
  }
}

function addressRecords(name, type, a, aaaa) {
  if (type === A) return a.map((address) => record(name, A, Buffer.from(address.split(".").map(Number))));
  return type === AAAA ? aaaa.map((address) => record(name, AAAA, encodeIpv6(address))) : [];
}

function record(name, type, data) {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fields, data]);
}

function encodeName(name) {
  const labels = name.split(".").flatMap((label) => [Buffer.of(label.length), Buffer.from(label, "latin1")]);
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** Of an address without dots in it. */
function encodeIpv6(address) {
  const [before = "", after] = address.split("::");
  const groups = (text) =>
    (text ?? "")
      .split(":")
      .filter(Boolean)
      .map((part) => parseInt(part, 16));
  const [first, last] = [groups(before), groups(after)];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
