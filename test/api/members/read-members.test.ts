import type { Member } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemberFormat } from "../../../packages/api/src/members/format-of.js";
import { formatOf } from "../../../packages/api/src/members/format-of.js";
import { readMembers } from "../../../packages/api/src/members/read-members.js";
import "../../property.js";
import { piecesOf } from "../bench.js";

interface Read {
  readonly members: readonly (Member | string)[];
  readonly bad: { readonly line: number; readonly expected: string } | undefined;
}

async function readBytes(bytes: Uint8Array, format: MemberFormat, pieceBytes = 5): Promise<Read> {
  const upload = readMembers(piecesOf(bytes, pieceBytes), format);
  const members: (Member | string)[] = [];
  try {
    for await (const member of upload.members) members.push(member);
  } catch {
    return { members, bad: upload.badLine() };
  }
  return { members, bad: undefined };
}

function read(text: string, format: MemberFormat, pieceBytes?: number): Promise<Read> {
  return readBytes(Buffer.from(text), format, pieceBytes);
}

async function membersOf(text: string, format: MemberFormat): Promise<Read["members"]> {
  const { members, bad } = await read(text, format);
  expect(bad).toBeUndefined();
  return members;
}

describe("members as a JSON text in each line", () => {
  it("are texts, or objects with a user id, with or without a value", async () => {
    const text = '"u1"\n{"userId":"u2"}\n{"userId":"u3","value":{"a":[1]}}\n{"value":false,"userId":"u4"}\n7\n';
    expect(await membersOf(text, "ndjson")).toEqual([
      "u1",
      "u2",
      { userId: "u3", value: '{"a":[1]}' },
      { userId: "u4", value: "false" },
      "7",
    ]);
  });

  it("may have empty lines, ends of lines of either kind, a byte order mark, and no last end", async () => {
    expect(await membersOf('\ufeff"u1"\r\n\r\n  \n"u2"', "ndjson")).toEqual(["u1", "u2"]);
  });

  it.each([
    ["no JSON", "u1"],
    ["a list", '["u1"]'],
    ["null", "null"],
    ["an object without a user id", '{"id":"u1"}'],
    ["a user id that is no text", '{"userId":true}'],
    ["a field that nobody knows", '{"userId":"u1","valeu":3}'],
    ["a number that is no id", "1.5"],
    ["half of an object", '{"userId":'],
  ])("are not %s, and the line is named", async (_, line) => {
    const { bad } = await read(`"u0"\n\n${line}\n"u9"\n`, "ndjson");
    expect(bad).toMatchObject({ line: 3, expected: expect.stringContaining("JSON") });
  });

  it("come back as they were, however they are cut", async () => {
    const member = fc.record({ userId: fc.string({ unit: "binary", minLength: 1 }), value: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(fc.array(member), fc.integer({ min: 1, max: 50 }), async (members, pieceBytes) => {
        const { members: found } = await read(
          members.map((one) => JSON.stringify(one)).join("\n"),
          "ndjson",
          pieceBytes,
        );
        expect(found).toEqual(members.map(({ userId, value }) => ({ userId, value: JSON.stringify(value) })));
      }),
    );
  });
});

describe("members as CSV", () => {
  it("stand in the first column, where no header says otherwise", async () => {
    expect(await membersOf("u1\nu2,pro\r\n\n u3\n", "csv")).toEqual(["u1", "u2", " u3"]);
  });

  it.each(["user_id", "userId", "USER_ID", '"user_id"', " userid"])("stand where the header says %s", async (name) => {
    expect(await membersOf(`\ufeffplan,${name}\nfree,u1\npro,u2\n`, "csv")).toEqual(["u1", "u2"]);
  });

  it("have the value that stands under `value`: JSON where it is JSON, else a text", async () => {
    const text = 'user_id,value\nu1,12\nu2,pro\nu3,"{""a"":1}"\nu4,007\nu5,true\n';
    expect(await membersOf(text, "csv")).toEqual([
      { userId: "u1", value: "12" },
      { userId: "u2", value: '"pro"' },
      { userId: "u3", value: '{"a":1}' },
      { userId: "u4", value: '"007"' },
      { userId: "u5", value: "true" },
    ]);
  });

  it("are left out where they have no value", async () => {
    expect(await membersOf("user_id,value\nu1,\nu2\nu3,1\n", "csv")).toEqual([{ userId: "u3", value: "1" }]);
  });

  it("may have quotes around commas, quotes and ends of lines", async () => {
    expect(await membersOf('"a,b"\n"say ""hi"""\n"two\r\nlines",x\n""\n', "csv")).toEqual([
      "a,b",
      'say "hi"',
      "two\r\nlines",
      "",
    ]);
  });

  it.each([
    ["a quote that does not end", 'u1\n"u2\nu3\n', 2, "an end of the quotes"],
    ["a quote within a cell", 'u1\nu"2"\n', 2, "a quote at both ends of a cell, and doubled within"],
    ["something after a quote", 'u1\n"u2"x\n', 2, "a quote at both ends of a cell, and doubled within"],
    ["no cell for the user id", "plan,user_id\npro\n", 2, "a cell in the column of the user id"],
  ])("are refused for %s", async (_, text, line, expected) => {
    expect((await read(text, "csv")).bad).toEqual({ kind: "bad", line, expected });
  });

  it("come back as they were, however they are cut", async () => {
    const id = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é"), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(id), fc.integer({ min: 1, max: 50 }), async (ids, pieceBytes) => {
        const lines = ids.map((one) => `x,"${one.replaceAll('"', '""')}"`);
        const { members } = await read(["x,user_id", ...lines].join("\r\n"), "csv", pieceBytes);
        expect(members).toEqual(ids);
      }),
    );
  });
});

describe("an upload", () => {
  it("is CSV where it is called so", () => {
    expect(["text/csv", "Text/CSV; charset=utf-8"].map(formatOf)).toEqual(["csv", "csv"]);
    expect([undefined, "", "application/x-ndjson", "text/csvx"].map(formatOf)).toEqual(Array(4).fill("ndjson"));
  });

  it.each(["ndjson", "csv"] as const)("of %s is UTF-8 to its end", async (format) => {
    const text = format === "csv" ? "u1\nu2" : '"u1"\n"u2"';
    for (const wrong of [[0xff], [0xc3]]) {
      const { bad } = await readBytes(Buffer.concat([Buffer.from(text), Buffer.from(wrong)]), format, 100);
      expect(bad?.expected).toMatch(/^UTF-8/);
    }
  });

  it.each(["ndjson", "csv"] as const)("of %s has no line that would not fit into memory", async (format) => {
    const endless = { kind: "bad", line: 2, expected: "at most 262144 characters" };
    for (const end of ["", "\n"]) {
      const text = `${format === "csv" ? "u1" : '"u1"'}\n${"x".repeat(300_000)}${end}`;
      expect((await read(text, format, 65_536)).bad).toEqual(endless);
    }
  });

  it("has no record that would not, either, and finds out once it is too long", async () => {
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; pieces < 1_000; pieces += 1) yield Buffer.from(pieces === 0 ? 'u1\n"' : "x\n".repeat(32_768));
    }
    const upload = readMembers(endless(), "csv");
    const members: unknown[] = [];
    const readAll = async (): Promise<void> => {
      for await (const member of upload.members) members.push(member);
    };
    await expect(readAll()).rejects.toThrow();
    expect(members).toEqual(["u1"]);
    expect(upload.badLine()).toMatchObject({ line: 2 });
    expect(pieces).toBeLessThan(10);
  });

  it("says at which line the member stands that was taken last", async () => {
    const upload = readMembers(piecesOf(Buffer.from('"u1"\n\n"u2"\n"u3"\n'), 1_000), "ndjson");
    const lines: number[] = [];
    for await (const member of upload.members) {
      expect(member).toMatch(/^u/);
      lines.push(upload.line());
    }
    expect(lines).toEqual([1, 3, 4]);
  });
});
