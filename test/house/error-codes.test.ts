// docs/errors.md has a row for each code of the types, and no other: what has happened, and what to do.

import { describe, it } from "vitest";
import { errorCodes } from "./error-codes.js";
import { read } from "./packages.js";
import { placeAt } from "./places.js";
import { expectNone } from "./violations.js";

const ROW = /^\| <a id="([a-z0-9-]+)"><\/a>`([^`]+)` +\| (.+?) +\| (.+?) +\|$/gm;
const PAGE = "docs/errors.md";
const page = read(PAGE);
const rows = [...page.matchAll(ROW)].map((match) => {
  const [, anchor = "", code = "", happened = "", todo = ""] = match;
  const [, group = ""] = /^(client-log|[a-z]+)-/.exec(anchor) ?? [];
  return { place: placeAt(PAGE, page, match.index), anchor, code, name: `${group}-${code}`, happened, todo };
});

describe("docs/errors.md", () => {
  it("has a row for each code, and no other", () => {
    const codes = errorCodes();
    const others = rows.filter(
      ({ name }, at) => !codes.includes(name) || rows.findIndex((one) => one.name === name) < at,
    );
    const missing = codes.filter((name) => !rows.some((row) => row.name === name));
    expectNone([
      ...missing.map((name) => `${PAGE}: add a row with the anchor ${name}: what has happened, and what to do`),
      ...others.map(
        ({ place, name }) => `${place}: remove the row of ${name}, which no type has or another row explains`,
      ),
    ]);
  });

  it("has for each code an anchor, which is made of its group and the code", () => {
    const others = rows.filter(
      ({ anchor, name }, at) =>
        anchor !== name.replace("-…", "") || rows.findIndex((one) => one.anchor === anchor) < at,
    );
    expectNone(others.map(({ place, name }) => `${place}: write <a id="${name.replace("-…", "")}"></a>, once`));
  });

  it("says in sentences what has happened and what to do", () => {
    const sentence = /^[A-Z0-9`[].*\.$/;
    const others = rows.filter(({ happened, todo }) => !sentence.test(happened) || !sentence.test(todo));
    expectNone(others.map(({ place }) => `${place}: write a sentence in both cells`));
  });
});
