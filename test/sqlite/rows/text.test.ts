// Any string that JavaScript can hold is read from the file exactly, and only equal strings are equal there.

import fc from "fast-check";
import { expect, it } from "vitest";
import { fromText, toText } from "../../../packages/sqlite/src/rows/rows.js";
import { newFile, openFile } from "../files.js";

const awkward = fc.constantFrom(
  "\u0000",
  "\ud800",
  "\udc00",
  "\udc00\ud800",
  "\\",
  '"',
  "\\u0000",
  "\n",
  "\u2028",
  "é",
  "💌",
);
const anyString = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(awkward, fc.string({ maxLength: 3 })), { maxLength: 6 }).map((parts) => parts.join("")),
);

it("a text comes back from SQLite as it was, NUL and lone surrogates included", () => {
  const database = openFile(newFile());
  const echo = database.prepare("select ? as text");
  fc.assert(
    fc.property(anyString, (value) => {
      const { text } = echo.get(toText(value)) as { text: string };
      expect(fromText(text)).toBe(value);
    }),
  );
  database.close();
});

it("two texts are equal in SQLite only if they were equal", () => {
  const database = openFile(newFile());
  const compare = database.prepare("select ? = ? as same");
  fc.assert(
    fc.property(anyString, anyString, (one, other) => {
      expect(compare.get(toText(one), toText(other))).toEqual({ same: one === other ? 1 : 0 });
    }),
  );
  database.close();
});

it("an ordinary id can be read in the file as it is", () => {
  expect(toText("ajs-next-1763-é💌")).toBe("ajs-next-1763-é💌");
});
