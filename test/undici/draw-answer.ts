// Draws answers to one request: good ones, good ones with a line or an octet that is wrong, and how they come: in one piece or in
// several, with or without the end of the connection.

import type { Random } from "@postrider/core";

/** What a receiver sends in answer to one request. */
export interface DrawnAnswer {
  readonly pieces: readonly Buffer[];
  /** Whether it closes its side after the last piece. */
  readonly ends: boolean;
}

const CRLF = "\r\n";
const STATUSES = [200, 200, 201, 202, 204, 205, 299, 301, 304, 400, 404, 410, 422, 429, 500, 503, 599];
const ODD_STATUSES = [
  "100",
  "101",
  "102",
  "103",
  "199",
  "600",
  "099",
  "20",
  "2000",
  "OK",
  "-200",
  "+200",
  "",
  " 200",
  "2 0",
];
const VERSIONS = [
  "HTTP/1.0",
  "HTTP/2.0",
  "HTTP/1.2",
  "http/1.1",
  "HTTP/1.10",
  "HTTP/01.1",
  "ICE/1.1",
  "RTSP/1.0",
  "HTTP /1.1",
];
const REASONS = [
  " OK",
  "",
  " ",
  "  Two  ",
  " Long and with\ta tab",
  " caf\u00e9",
  " \u0000",
  " a\u007fb",
  " 200",
  "OK",
];
const PLAIN_FIELDS = [
  "Server: nginx",
  "Date: Fri, 27 Nov 2026 21:00:00 GMT",
  "X-Powered-By: Express",
  "Content-Type: application/json; charset=utf-8",
  'ETag: W/"f-VaSQ4oDUiZblZNAEkkN"',
  "Cache-Control:no-store",
  "Vary:   Accept-Encoding",
  "X-Tab:\tone",
  "Connection: keep-alive",
  "connection: Keep-Alive",
  "Keep-Alive: timeout=5",
  "Keep-Alive: timeout=2, max=100",
  "Keep-Alive: timeout=3",
  "keep-alive: max=7",
  "Keep-Alive: timeout=99999999999999999999",
  "Retry-After: 120",
  "retry-after: Fri, 27 Nov 2026 21:00:00 GMT",
  "Retry-After: 7",
  "Set-Cookie: a=b; Path=/",
  "!#$%&'*+.^_`|~: odd name",
];
const ODD_FIELDS = [
  "Connection: close",
  "Connection: keep-alive, close",
  "Connection: keep-alive, x",
  "Connection: upgrade",
  "Proxy-Connection: close",
  "Upgrade: h2c",
  "Trailer: Retry-After",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: gzip, chunked",
  "Keep-Alive: timeout=-1",
  "Keep-Alive: timeout=0",
  "Retry-After: ",
  "Retry-After:",
  "Retry-After: 5 ",
  "Retry-After: 5\t",
  "Retry-After: \u00e9",
  "Retry-After : 5",
  "Retry-After",
  " Retry-After: 5",
  "Retry-After: 5\n 6",
  "Retry-After: 5\r\n 6",
  "X-Fold: a\r\n\tb",
  "X-Empty:",
  "X-Empty: ",
  "X-Nul: a\u0000b",
  "X-Control: a\u0001b",
  "X-Delete: a\u007f",
  "X-Latin: \u00e9\u00ff",
  "X Space: a",
  "X-\u00e9: a",
  ": no name",
  "no colon",
  "X-Colon:: a",
  "X(Y): a",
  "X-Cr: a\rb",
  "X-Lf: a\nContent-Length: 3",
  "Content-Length: 3",
  "Content-Encoding: gzip",
  `X-Long: ${"l".repeat(17_000)}`,
];
/** Lengths as an answer may say them; `N` stands for the true one. */
const ODD_LENGTHS = [
  "+N",
  "-N",
  "N ",
  " N",
  "0N",
  "00N",
  "N,N",
  "N, N",
  "N;",
  "0xN",
  "N.0",
  "Ne0",
  "",
  "N\t",
  "\tN",
  "N N",
  "9".repeat(20),
];
const BODIES = [
  "",
  "",
  "ok",
  '{"status":"ok"}',
  "\r\n",
  "\r\n\r\n",
  "0\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
  "\u0000\u00ff\u0080",
  "e".repeat(5_000),
];
const BEHIND = ["\r\n", "\n", "x", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 ", "\u0000"];
const STRUCTURE = "\r\n: ,;\t0159HC-\u0000\u007f\u0080\u00ff+";

/** What is wrong with an answer: a quarter are right, and a third have changed octets, which some of them bear. */
const WRONGS = [
  "nothing",
  "nothing",
  "nothing",
  "octets",
  "octets",
  "octets",
  "octets",
  "field",
  "field",
  "length",
  "framing",
] as const;
const RARE_WRONGS = ["start", "behind"] as const;

/** Draws one answer. */
export function drawAnswer(random: Random): DrawnAnswer {
  const { pick, chance } = createDraws(random);
  const wrong = chance(0.1) ? pick(RARE_WRONGS) : pick(WRONGS);
  const text = `${wrong !== "framing" && chance(0.02) ? interim() : ""}${answer()}${wrong === "behind" ? pick(BEHIND) : ""}`;
  const bytes = Buffer.from(text, "latin1");
  return { pieces: split(wrong === "octets" ? mutate(bytes) : bytes), ends: chance(0.2) };

  function answer(): string {
    const status = wrong === "start" && chance(0.5) ? pick(ODD_STATUSES) : String(pick(STATUSES));
    const version = wrong === "start" && chance(0.4) ? pick(VERSIONS) : "HTTP/1.1";
    const reason = wrong === "start" ? pick(REASONS) : " OK";
    const body = mayHaveBody(status) || chance(0.1) ? pick(BODIES) : "";
    const fields = Array.from({ length: below(6) }, () => pick(PLAIN_FIELDS));
    if (wrong === "field") fields.push(pick(ODD_FIELDS));
    const [framing, framed] = frame(status, body);
    const lines = shuffle([...fields, ...framing]);
    const eol = wrong === "framing" && chance(0.1) ? "\n" : CRLF;
    return `${[`${version} ${status}${reason}`, ...lines].join(eol)}${eol}${eol}${framed}`;
  }

  /** The fields that say where the body ends, and the body as it is sent. */
  function frame(status: string, body: string): readonly [readonly string[], string] {
    const length = String(body.length);
    if (wrong === "length") return [oddLength(length), body];
    if (wrong === "framing") {
      const chunked = `${body.length.toString(16)}${pick(["", ";x", ";x=y"])}${CRLF}${body}${CRLF}0${CRLF}${CRLF}`;
      return pick([
        [["Transfer-Encoding: chunked"], body === "" ? `0${CRLF}${CRLF}` : chunked],
        [["Transfer-Encoding: chunked", `Content-Length: ${length}`], chunked],
        [[], body],
        [[], ""],
      ]);
    }
    if (!mayHaveBody(status) && chance(0.6)) return [[], body];
    return [[`${pick(["Content-Length", "content-length", "CONTENT-LENGTH"])}: ${length}`], body];
  }

  function oddLength(length: string): readonly string[] {
    if (chance(0.2)) return [`Content-Length: ${length}`, `content-length: ${length}`];
    if (chance(0.2)) return [`Content-Length: ${length}`, "Content-Length: 1"];
    if (chance(0.2)) return [`Content-Length: ${String(Math.max(0, Number(length) + pick([-1, 1, 2])))}`];
    return [`Content-Length:${pick(["", " "])}${pick(ODD_LENGTHS).replaceAll("N", length)}`];
  }

  function interim(): string {
    return `HTTP/1.1 ${pick(["100", "102", "103"])} X${CRLF}${pick(["", `X-A: b${CRLF}`, `Retry-After: 1${CRLF}`])}${CRLF}`;
  }

  /** Changes, adds, removes or repeats octets, mostly of the head. */
  function mutate(bytes: Buffer): Buffer {
    let changed = bytes;
    for (let left = 1 + below(3); left > 0; left -= 1) {
      const headBytes = changed.indexOf("\r\n\r\n") + 4;
      const at = below(chance(0.9) && headBytes > 4 ? headBytes : changed.length + 1);
      const octet = Buffer.from([chance(0.7) ? STRUCTURE.charCodeAt(below(STRUCTURE.length)) : below(256)]);
      const taken = pick([0, 1, 1, 2]);
      const put = pick([octet, octet, Buffer.alloc(0), changed.subarray(at, at + 2 + below(9)), Buffer.from(CRLF)]);
      changed = Buffer.concat([changed.subarray(0, at), put, changed.subarray(at + taken)]);
    }
    return changed;
  }

  function split(bytes: Buffer): readonly Buffer[] {
    if (bytes.length < 2 || chance(0.8)) return bytes.length === 0 ? [] : [bytes];
    const cuts = Array.from({ length: 1 + below(3) }, () => 1 + below(bytes.length - 1)).toSorted((a, b) => a - b);
    const edges = [...new Set([0, ...cuts, bytes.length])];
    return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
  }

  function below(count: number): number {
    return Math.floor(random.unit() * count);
  }

  function shuffle(lines: readonly string[]): readonly string[] {
    return lines
      .map((line) => [random.unit(), line] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, line]) => line);
  }
}

function mayHaveBody(status: string): boolean {
  return status !== "204" && status !== "304";
}

function createDraws(random: Random) {
  return {
    pick: <T>(from: readonly T[]): T => from[Math.floor(random.unit() * from.length)]!,
    chance: (share: number): boolean => random.unit() < share,
  };
}
