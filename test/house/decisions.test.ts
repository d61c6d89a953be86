// Files name the choices that they rest on as `(decision: schedule)`. Each such name leads to a record, and each record
// is complete and listed.

import { describe, expect, it } from "vitest";
import { filesUnder, read } from "./packages.js";

const PARTS = ["**The question.** ", "**What we do.** ", "**Why.** ", "**What it costs.** "];
const HEADING = /^# (\d+)\. (.+)\n/;

const records = filesUnder("docs/decisions", ".md").filter((path) => !path.endsWith("README.md"));
const topics = new Set(records.map((path) => HEADING.exec(read(path))?.[2]?.toLowerCase()));
const citing = filesUnder("packages", ".ts").filter((path) => citedIn(read(path)).length > 0);

describe("the decisions", () => {
  it("are cited by the code, in more places than one", () => {
    expect(citing.length).toBeGreaterThan(20);
  });

  it.each(citing)("that %s names have a record", (path) => {
    expect(citedIn(read(path)).filter((topic) => !topics.has(topic))).toEqual([]);
  });

  it.each(records)("of %s say what was asked, what we do, why, and what it costs", (path) => {
    const paragraphs = read(path).trim().split("\n\n");
    expect(paragraphs.slice(1).map((text) => PARTS.find((part) => text.startsWith(part)))).toEqual(PARTS);
  });

  it("are numbered from 1 without a gap, in their file names and in their headings", () => {
    const numbers = records.map((path) => Number(HEADING.exec(read(path))?.[1]));
    expect(numbers).toEqual(records.map((_path, index) => index + 1));
    expect(records.map((path) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]))).toEqual(numbers);
  });

  it("have one topic each", () => {
    expect(topics.size).toBe(records.length);
  });

  it("are all in the list", () => {
    const list = read("docs/decisions/README.md");
    for (const path of records) expect(list).toContain(`](./${path.slice("docs/decisions/".length)})`);
  });
});

/** `(decision: a)`, `(decisions: a, b)`, `(spec, …; decision: a)`; a comment may break its lines anywhere. */
function citedIn(text: string): readonly string[] {
  const joined = text.replace(/\n\s*(\/\/|\*) ?/g, " ");
  return [...joined.matchAll(/\(([^()]*; )?decisions?: ([^();]+)/g)].flatMap(([, , topic]) => topic!.split(", "));
}
