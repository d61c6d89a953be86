// docs/errors.md has a row for each code of the types, and no other: what has happened, and what to do.

import { DOCS_URL } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { errorCodes } from "./error-codes.js";
import { read } from "./packages.js";

const ROW = /^\| <a id="([a-z0-9-]+)"><\/a>`([^`]+)` +\| (.+?) +\| (.+?) +\|$/gm;
const rows = [...read("docs/errors.md").matchAll(ROW)].map(([, anchor = "", code = "", happened = "", todo = ""]) => ({
  anchor,
  code,
  happened,
  todo,
}));

describe("docs/errors.md", () => {
  it("has a row for each code, and no other", () => {
    const groups = /^(client-log|[a-z]+)-/;
    const listed = rows.map(({ anchor, code }) => `${groups.exec(anchor)![1]!}-${code}`);
    expect([...listed].sort()).toEqual(errorCodes());
  });

  it("has for each code an anchor, which is made of its group and the code", () => {
    for (const { anchor, code } of rows) expect(anchor).toMatch(new RegExp(`-${code.replace("-…", "")}$`));
    expect(new Set(rows.map(({ anchor }) => anchor)).size).toBe(rows.length);
  });

  it("says in sentences what has happened and what to do", () => {
    const sentence = /^[A-Z0-9`[].*\.$/;
    expect(rows.filter(({ happened, todo }) => !sentence.test(happened) || !sentence.test(todo))).toEqual([]);
  });

  it("is at the address that errors name", () => {
    const { homepage } = JSON.parse(read("package.json")) as { readonly homepage: string };
    expect(DOCS_URL).toBe(`${homepage.replace("#readme", "")}/blob/main/docs`);
  });
});
