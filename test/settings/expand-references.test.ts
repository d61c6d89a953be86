// References to the environment and to files, over a reader that is a table.

import { expandReferences, type ReferenceReader } from "@postrider/relay/settings";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const READER = reader(
  { SECRET: "s3cret", EMPTY: "", NESTED: "env:SECRET" },
  { "/run/key": "k1\n", "/run/dos": "k2\r\n" },
);

function reader(env: Record<string, string>, files: Record<string, string>): ReferenceReader {
  return { env: (name) => env[name], file: (path) => files[path] };
}

function expanded(value: unknown): unknown {
  const result = expandReferences(value, READER);
  if (result.kind === "refused") throw new Error(JSON.stringify(result.problems));
  return result.value;
}

describe("a reference", () => {
  it("to the environment becomes the variable's text", () => {
    expect(expanded({ sharedSecret: "env:SECRET" })).toEqual({ sharedSecret: "s3cret" });
  });

  it("to a file becomes the file's text without its last line break", () => {
    expect(expanded(["file:/run/key", "file:/run/dos"])).toEqual(["k1", "k2"]);
  });

  it("loses one line break at most, and nothing else", () => {
    const files = reader({}, { a: "x\n\n", b: " x ", c: "\n", d: "a\nb" });
    const result = expandReferences(["file:a", "file:b", "file:c", "file:d"], files);
    expect(result).toEqual({ kind: "ok", value: ["x\n", " x ", "", "a\nb"] });
  });

  it("to a variable keeps its line breaks", () => {
    expect(expandReferences("env:A", reader({ A: "x\n" }, {}))).toEqual({ kind: "ok", value: "x\n" });
  });

  it("to an empty variable is an empty text", () => {
    expect(expanded("env:EMPTY")).toBe("");
  });

  it("is expanded once: its value is not expanded again", () => {
    expect(expanded("env:NESTED")).toBe("env:SECRET");
  });

  it("may be at any depth, but not in a key", () => {
    expect(expanded({ a: [{ "env:SECRET": ["env:SECRET"] }] })).toEqual({ a: [{ "env:SECRET": ["s3cret"] }] });
  });

  it.each(["ENV:SECRET", " env:SECRET", "environment", "File:/run/key", "sqlite:./x.db", "env"])(
    "is none when written %o",
    (text) => {
      expect(expanded(text)).toBe(text);
    },
  );
});

describe("a reference without a value", () => {
  it("is a problem with its path, and each one is reported", () => {
    const value = {
      apiToken: "env:NO_TOKEN",
      destinations: [{ sharedSecret: "file:/no/secret", endpoints: [{ headers: { "X-Key": "env:" } }] }],
    };
    expect(expandReferences(value, READER)).toEqual({
      kind: "refused",
      problems: [
        {
          code: "missing",
          path: "apiToken",
          expected: "the name of an environment variable that is set; NO_TOKEN is not",
        },
        {
          code: "missing",
          path: "destinations[0].sharedSecret",
          expected: "the path of a file that can be read; /no/secret is not",
        },
        {
          code: "missing",
          path: 'destinations[0].endpoints[0].headers["X-Key"]',
          expected: "the name of an environment variable that is set",
        },
      ],
    });
  });

  it("shows neither its own text nor that of others", () => {
    const result = expandReferences(["env:canary", "file:canary", "env:SECRET"], READER);
    expect(JSON.stringify(result)).not.toMatch(/canary|s3cret/);
  });
});

describe("what is no reference", () => {
  it("stays as it is, keys that reach for a prototype included", () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        const result = expandReferences(value, { env: () => "?", file: () => "?" });
        const hasReference = /"(env|file):/.test(JSON.stringify(value));
        if (!hasReference) expect(JSON.stringify(result)).toBe(JSON.stringify({ kind: "ok", value }));
      }),
    );
  });

  it("is not changed in place", () => {
    const value = Object.freeze({ list: Object.freeze(["env:SECRET"]) });
    expect(expanded(value)).toEqual({ list: ["s3cret"] });
    expect(value.list).toEqual(["env:SECRET"]);
  });
});
