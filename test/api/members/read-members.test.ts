import type { Member } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type MemberFormat,
  readMemberFormat,
  readMembers,
} from "../../../packages/http/src/api/members/read-members.js";
import "../../property.js";
import { piecesOf } from "../rig.js";

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
    ["an unknown field", '{"userId":"u1","valeu":3}'],
    ["a number that is no id", "1.5"],
    ["half of an object", '{"userId":'],
  ])("are not %s, and the line is named", async (_, line) => {
    const { bad } = await read(`"u0"\n\n${line}\n"u9"\n`, "ndjson");
    expect(bad).toMatchObject({ line: 3, expected: expect.stringContaining("JSON") });
  });

  it("come back as they were, however they are cut", async () => {
    const id = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/[^\P{Cc}\n\r]/u.test(text));
    const member = fc.record({ userId: id, value: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        async (members, pieceBytes) => {
          const { members: found } = await read(
            members.map((one) => JSON.stringify(one)).join("\n"),
            "ndjson",
            pieceBytes,
          );
          expect(found).toEqual(members.map(({ userId, value }) => ({ userId, value: JSON.stringify(value) })));
        },
      ),
    );
  });
});

const RETURN = "a line feed at the end of each line, not a carriage return alone";

describe("members as CSV", () => {
  it("are in the first column if the upload says that it has no header", async () => {
    expect(await membersOf("u1\nu2,pro\r\n\n u3\n", "csv-without-header")).toEqual(["u1", "u2", " u3"]);
  });

  it("are none where there is nothing but a header", async () => {
    for (const text of ["user_id", "user_id,value\r\n", "\ufeffuserId\n\n"])
      expect(await membersOf(text, "csv")).toEqual([]);
  });

  it.each([
    ["user id with a space", "User ID\nu1\n", '"User ID"'],
    ["id", "id,plan\nu1,pro\n", '"id,plan"'],
    ["members from its first line on", "u1\nu2\n", '"u1"'],
    ["semicolons", "user_id;plan\nu1;pro\n", '"user_id;plan"'],
    ["tabs", "user_id\tplan\nu1\tpro\n", '"user_id\\tplan"'],
    ["bars", "user_id|plan\nu1|pro\n", '"user_id|plan"'],
    ["a separator of a spreadsheet", "sep=;\nuser_id;plan\n", '"sep=;"'],
    ["two columns of user ids", "user_id,userId\nu1,u2\n", '"user_id,userId"'],
    ["two columns of values", "user_id,value,value\nu1,1,2\n", '"user_id,value,value"'],
    ["what a terminal acts upon", "\u202eid\u001b[2J\n", '"\\u202eid\\u001b[2J"'],
    ["more than an error can show", `${"x".repeat(61)}\n`, `"${"x".repeat(60)}…"`],
    ["nothing", "", "nothing"],
    ["empty lines", "\r\n\n", "nothing"],
  ])("are refused for a header of %s, which the error names beside those that are known", async (_, text, found) => {
    const { members, bad } = await read(text, "csv");
    expect(members).toEqual([]);
    expect(bad).toMatchObject({ line: 1, expected: expect.stringContaining("user_id, userId or userid") });
    expect(bad?.expected).toContain(`; found ${found}`);
  });

  it("are refused for a header where the upload says that there is none", async () => {
    const bad = { kind: "refused", line: 1, expected: "a member, since the upload says header=absent" };
    expect(await read("user_id\nu1\n", "csv-without-header")).toEqual({ members: [], bad });
  });

  it.each(["user_id", "userId", "USER_ID", '"user_id"', " userid"])("are in the column named %s", async (name) => {
    expect(await membersOf(`\ufeffplan,${name}\nfree,u1\npro,u2\n`, "csv")).toEqual(["u1", "u2"]);
  });

  it("have the value of the column `value`: JSON if it is JSON, otherwise a text", async () => {
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
    expect(await membersOf('user_id\n"a,b"\n"say ""hi"""\n"two\r\nlines",x\n""\n', "csv")).toEqual([
      "a,b",
      'say "hi"',
      "two\r\nlines",
      "",
    ]);
  });

  it.each([
    ["a quote that does not end", 'user_id\n"u2\nu3\n', 2, "an end of the quotes"],
    ["a quote within a cell", 'user_id\nu"2"\n', 2, "a quote at both ends of a cell, and doubled within"],
    ["something after a quote", 'user_id\n"u2"x\n', 2, "a quote at both ends of a cell, and doubled within"],
    ["lines that end with a carriage return alone", "user_id\ru1\ru2", 1, RETURN],
    ["a carriage return outside quotes", 'user_id\n"a\rb"\nu1\ru2\n', 3, RETURN],
    ["no cell for the user id", "plan,user_id\npro\n", 2, "a cell in the column of the user id"],
  ])("are refused for %s", async (_, text, line, expected) => {
    expect((await read(text, "csv")).bad).toEqual({ kind: "refused", line, expected });
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
  it.each([
    ["csv", ["text/csv", "Text/CSV; charset=utf-8", 'text/csv;header="present"']],
    ["csv-without-header", ["text/csv; header=absent", "text/csv;charset=UTF-8;Header=Absent"]],
    ["ndjson", [undefined, "", "application/x-ndjson", "text/csvx", "text/plain;charset=UTF-8"]],
  ] as const)("is %s where it is called so", (format, contentTypes) => {
    for (const one of contentTypes) expect(readMemberFormat(one)).toEqual({ kind: "ok", format });
  });

  it("is refused for a Content-Type that it cannot follow", () => {
    expect(readMemberFormat("text/csv; header=none")).toEqual({
      kind: "refused",
      expected: "header=present or header=absent",
    });
    expect(readMemberFormat("text/csv; charset=utf-16")).toEqual({
      kind: "refused",
      expected: "charset=utf-8, or no charset",
    });
  });

  it.each(["csv", "csv-without-header", "ndjson"] as const)("of %s is refused where it is empty", async (format) => {
    for (const text of ["", "\n", " \r\n", "\ufeff"]) {
      const { members, bad } = await read(text, format);
      expect(members).toEqual([]);
      expect(bad).toMatchObject({ line: 1, expected: expect.stringContaining("found nothing") });
    }
  });

  it("of JSON is refused where it is a CSV with quotes", async () => {
    const { members, bad } = await read('"user_id"\n"u1"\n', "ndjson");
    expect({ members, line: bad?.line }).toEqual({ members: [], line: 1 });
    expect(bad?.expected).toContain("text/csv");
  });

  it.each([
    ["a tab", "u1\tpro"],
    ["an escape", "u\u001b1"],
    ["a control character of Latin-1", "u\u0085"],
  ])("has no user id with %s", async (_, id) => {
    expect((await read(`user_id\nu0\n${id}\n`, "csv")).bad).toMatchObject({ line: 3 });
    expect((await read(`"u0"\n${JSON.stringify(id)}\n`, "ndjson")).bad).toMatchObject({ line: 2 });
    expect((await read(`${JSON.stringify({ userId: id })}\n`, "ndjson")).bad).toMatchObject({ line: 1 });
  });

  it.each(["csv", "csv-without-header", "ndjson"] as const)("of %s is no UTF-16", async (format) => {
    const text = format === "ndjson" ? '"u1"\n"u2"\n' : format === "csv" ? "user_id\nu1\n" : "u1\nu2\n";
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(little).swap16();
    const marked = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])].map((mark, at) =>
      Buffer.concat([mark, [little, big][at]!]),
    );
    for (const bytes of marked) {
      expect(await readBytes(bytes, format)).toEqual({
        members: [],
        bad: { kind: "refused", line: 1, expected: "UTF-8; found UTF-16" },
      });
    }
    for (const bytes of [little, big]) {
      const { members, bad } = await readBytes(bytes, format);
      expect(members).toEqual([]);
      expect(bad?.expected).toContain("NUL");
    }
  });

  it("of CSV is whole only where its first line is a known header", async () => {
    const cell = fc.string({
      unit: fc.constantFrom("u", "1", ";", "|", "\t", " ", "_", "é", "\0", "\r", '"'),
      maxLength: 8,
    });
    const lines = fc.array(
      fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(",")),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom("\n", "\r\n", "\r"), async (texts, end) => {
        const { members, bad } = await read(texts.join(end), "csv");
        expect({ members, isBad: bad !== undefined }).toEqual({ members: [], isBad: true });
      }),
    );
  });

  it.each(["ndjson", "csv"] as const)("of %s is UTF-8 to its end", async (format) => {
    const text = format === "csv" ? "user_id\nu2" : '"u1"\n"u2"';
    for (const wrong of [[0xff], [0xc3]]) {
      const { bad } = await readBytes(Buffer.concat([Buffer.from(text), Buffer.from(wrong)]), format, 100);
      expect(bad?.expected).toMatch(/^UTF-8/);
    }
  });

  it.each(["ndjson", "csv"] as const)("of %s has no line that would not fit into memory", async (format) => {
    const endless = { kind: "refused", line: 2, expected: "at most 262144 characters" };
    for (const end of ["", "\n"]) {
      const text = `${format === "csv" ? "user_id" : '"u1"'}\n${"x".repeat(300_000)}${end}`;
      expect((await read(text, format, 65_536)).bad).toEqual(endless);
    }
  });

  it("has no record that would not, either, and finds out once it is too long", async () => {
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; pieces < 1_000; pieces += 1) yield Buffer.from(pieces === 0 ? 'user_id\nu1\n"' : "x\n".repeat(32_768));
    }
    const upload = readMembers(endless(), "csv");
    const members: unknown[] = [];
    const readAll = async (): Promise<void> => {
      for await (const member of upload.members) members.push(member);
    };
    await expect(readAll()).rejects.toThrow();
    expect(members).toEqual(["u1"]);
    expect(upload.badLine()).toMatchObject({ line: 3 });
    expect(pieces).toBeLessThan(10);
  });

  it("reports the line of the last member that was read", async () => {
    const upload = readMembers(piecesOf(Buffer.from('"u1"\n\n"u2"\n"u3"\n'), 1_000), "ndjson");
    const lines: number[] = [];
    for await (const member of upload.members) {
      expect(member).toMatch(/^u/);
      lines.push(upload.line());
    }
    expect(lines).toEqual([1, 3, 4]);
  });
});
