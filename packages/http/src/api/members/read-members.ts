// Reads a list of members as it arrives, in the format of its Content-Type, with one chunk in memory at a time. Ends at the
// first bad line: if it were skipped, a user who has not left the audience could be removed (decision: member lists).

import type { Member } from "@postrider/core";
import { createCsvReader, type BadLine, type LineReader, type LineResult, createNdjsonReader } from "./line-readers.js";

const CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);

/** Longest line, in characters: no call could have a longer member. */
const MAX_LINE_LENGTH = 262_144;

/** All control characters except line ends, which quotes or JSON may contain. */
const CONTROL = /[^\P{Cc}\n\r]/u;

const PLAIN_ID = "a user id without control characters (tabs do not separate columns, commas do)";

export interface MemberUpload {
  /** To be iterated once. Throws at a bad line, and if `chunks` throws. */
  readonly members: AsyncIterable<Member | string>;
  /** The line of the last member that was read, from 1. */
  line(): number;
  /** The bad line at which reading ended, if any. */
  badLine(): BadLine | undefined;
}

interface NumberedMember {
  readonly line: number;
  readonly member: Member | string;
}

/** Reads UTF-8, with or without a byte order mark. */
export function readMembers(chunks: AsyncIterable<Uint8Array>, format: MemberFormat): MemberUpload {
  const chunkReader = createChunkReader(format);
  let line = 0;
  let badLine: BadLine | undefined;

  function membersIn(result: ChunkResult): readonly NumberedMember[] {
    if (result.kind === "ok") return result.members;
    badLine = result;
    throw new Error(`line ${String(result.line)} is not a member`);
  }

  async function* members(): AsyncGenerator<Member | string, void, undefined> {
    for await (const chunk of withEnd(chunks)) {
      for (const numbered of membersIn(chunkReader.read(chunk))) {
        line = numbered.line;
        yield numbered.member;
      }
    }
  }

  return { members: { [Symbol.asyncIterator]: members }, line: () => line, badLine: () => badLine };
}

/** The chunks, and then undefined, which stands for the end. */
async function* withEnd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  yield* chunks;
  yield undefined;
}

type ChunkResult = { readonly kind: "ok"; readonly members: readonly NumberedMember[] } | BadLine;

/** `read` is called with each chunk in turn, and then with undefined for the end. */
function createChunkReader(format: MemberFormat): { read(chunk: Uint8Array | undefined): ChunkResult } {
  const reader = format === "ndjson" ? createNdjsonReader() : createCsvReader({ hasHeader: format === "csv" });
  const splitter = createLineSplitter();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let lines = 0;
  let firstByte: number | undefined;

  function decode(chunk: Uint8Array | undefined): string | undefined {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return undefined;
    }
  }

  function readAll(texts: readonly string[]): ChunkResult {
    const members: NumberedMember[] = [];
    for (const text of texts) {
      lines += 1;
      const line = readLine(reader, text, lines);
      if (line.kind === "refused") return line;
      if (line.kind === "member") members.push({ line: lines, member: line.member });
    }
    return { kind: "ok", members };
  }

  function readEnd(): ChunkResult {
    const lastLine = splitter.rest();
    const result = readAll(lastLine === "" ? [] : [lastLine]);
    return result.kind === "refused" ? result : (reader.end() ?? result);
  }

  return {
    read: (chunk) => {
      firstByte ??= chunk?.[0];
      const text = decode(chunk);
      if (text === undefined) return { kind: "refused", line: lines + 1, expected: encodingExpected(firstByte) };
      const result = readAll(splitter.push(text));
      if (result.kind === "refused") return result;
      if (chunk === undefined) return readEnd();
      return splitter.rest().length > MAX_LINE_LENGTH ? tooLong(lines + 1) : result;
    },
  };
}

function readLine(reader: LineReader, text: string, line: number): LineResult {
  if (text.length > MAX_LINE_LENGTH) return tooLong(line);
  if (text.includes("\0")) return { kind: "refused", line, expected: "UTF-8 without NUL characters, which UTF-16 has" };
  const result = reader.read(text, line);
  return result.kind === "member" && CONTROL.test(idOf(result.member))
    ? { kind: "refused", line, expected: PLAIN_ID }
    : result;
}

function idOf(member: Member | string): string {
  return typeof member === "string" ? member : member.userId;
}

/** A byte order mark of UTF-16 begins with a byte that UTF-8 never has. */
function encodingExpected(firstByte: number | undefined): string {
  return firstByte === 0xfe || firstByte === 0xff ? "UTF-8; found UTF-16" : "UTF-8, in this line or soon after it";
}

function tooLong(line: number): BadLine {
  return { kind: "refused", line, expected: `at most ${String(MAX_LINE_LENGTH)} characters` };
}

interface LineSplitter {
  /** The lines that end in this piece. */
  push(piece: string): readonly string[];
  /** The text after the last line feed. */
  rest(): string;
}

/** A line ends with a line feed, which is not part of it. */
function createLineSplitter(): LineSplitter {
  let partialLine = "";
  return {
    push: (piece) => {
      const lines = piece.split("\n");
      const remainder = lines.pop() ?? "";
      if (lines.length === 0) {
        partialLine += remainder;
        return lines;
      }
      lines[0] = partialLine + (lines[0] ?? "");
      partialLine = remainder;
      return lines;
    },
    rest: () => partialLine,
  };
}

export type MemberFormat = "ndjson" | "csv" | "csv-without-header";

type MemberFormatResult =
  | { readonly kind: "ok"; readonly format: MemberFormat }
  /** A parameter of the Content-Type has a value that is not supported. */
  | { readonly kind: "refused"; readonly expected: string };

/** Reads the format from a Content-Type: CSV for text/csv; one JSON value in each line for any other type. */
export function readMemberFormat(contentType = ""): MemberFormatResult {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  const charset = valueOf(parameters, "charset");
  if (charset !== undefined && !CHARSETS.has(charset))
    return { kind: "refused", expected: "charset=utf-8, or no charset" };
  if (type.toLowerCase() !== "text/csv") return { kind: "ok", format: "ndjson" };
  const header = valueOf(parameters, "header") ?? "present";
  if (header === "present") return { kind: "ok", format: "csv" };
  if (header === "absent") return { kind: "ok", format: "csv-without-header" };
  return { kind: "refused", expected: "header=present or header=absent" };
}

/** The value of a parameter, in lower case and without quotes. */
function valueOf(parameters: readonly string[], name: string): string | undefined {
  const match = parameters.find((parameter) => parameter.toLowerCase().startsWith(`${name}=`));
  return match
    ?.slice(name.length + 1)
    .replaceAll('"', "")
    .toLowerCase();
}
