// Puts the requests of a case on one raw connection, as bytes, and reads the answers off it.

import type { Socket } from "node:net";
import type { HttpCase, HttpRequestCase } from "./corpus.js";
import { bytesOf } from "./parts.js";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** All requests of a case, one behind the other. */
export function bytesOfRequests({ requests }: HttpCase): Buffer {
  return Buffer.concat(requests.map(bytesOfRequest));
}

function bytesOfRequest({ raw, head = [], body = "", framing = "none" }: HttpRequestCase): Buffer {
  if (raw !== undefined) return bytesOf(raw);
  const content = bytesOf(body);
  const lines = [...head, ...framingHeaders(framing, content)].map((line) => bytesOf(line));
  const crlf = Buffer.from("\r\n");
  const written = framing === "chunked" ? chunksOf(content) : content;
  return Buffer.concat([...lines.flatMap((line) => [line, crlf]), crlf, written]);
}

function framingHeaders(framing: HttpRequestCase["framing"], content: Buffer): readonly string[] {
  if (framing === "length") return [`Content-Length: ${String(content.length)}`];
  return framing === "chunked" ? ["Transfer-Encoding: chunked"] : [];
}

/** Of 1,000 bytes each. */
function chunksOf(content: Buffer): Buffer {
  const count = Math.ceil(content.length / 1_000);
  const chunks = Array.from({ length: count }, (_, index) => content.subarray(index * 1_000, (index + 1) * 1_000));
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...framed, Buffer.from("0\r\n\r\n")]);
}

/** The answers that arrive until the other side closes, or has announced that it will close and has sent all. */
export function readAnswers(socket: Socket, isHead: boolean): Promise<readonly HttpAnswer[]> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const finish = (): void => {
      socket.destroy();
      resolve(parseAnswers(bytes, isHead).answers);
    };
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const { answers, isWhole } = parseAnswers(bytes, isHead);
      const last = answers.at(-1);
      if (isWhole && last?.headers.has("content-length") === true && last.headers.get("connection") === "close")
        finish();
    });
    socket.on("close", finish);
  });
}

interface Parsed {
  readonly answers: readonly HttpAnswer[];
  /** Whether the last answer was there with all of its body. */
  readonly isWhole: boolean;
}

function parseAnswers(bytes: Buffer, isHead: boolean): Parsed {
  const answers: HttpAnswer[] = [];
  let at = 0;
  for (let end = bytes.indexOf("\r\n\r\n", at); end !== -1; end = bytes.indexOf("\r\n\r\n", at)) {
    const [first = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => [line.split(":")[0]!.toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    const status = Number(first.split(" ")[1]);
    const length = isHead || status < 200 ? 0 : lengthOfBody(bytes.subarray(end + 4), headers);
    const body = bytes.toString("utf8", end + 4, end + 4 + length);
    answers.push({ status, headers, body });
    at = end + 4 + length;
  }
  return { answers, isWhole: at === bytes.length };
}

/** Chunks come from node:http itself, whose own refusals have no body; an answer without a length ends with the connection. */
function lengthOfBody(rest: Buffer, headers: HttpAnswer["headers"]): number {
  if (headers.get("transfer-encoding") === "chunked") return rest.indexOf("0\r\n\r\n") + 5;
  return Number(headers.get("content-length") ?? rest.length);
}
