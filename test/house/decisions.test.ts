// Source files cite decisions as `(decision: schedule)`. Each cited title must have a record, each record must be complete
// and listed, and a record that replaces or extends another one must be linked with it in both directions.

import { describe, expect, it } from "vitest";
import { filesUnder, PACKAGES, read } from "./packages.js";

const PARTS = ["**The question.** ", "**What we do.** ", "**Why.** ", "**What it costs.** "];
const STATUS = "**Status.** ";
const HEADING = /^# (\d+)\. (.+)\n/;
const FOLDER = "docs/decisions/";

/** The words of one `Status`, and the words that the other record must have. */
const COUNTERPARTS = [
  ["Superseded in part by", "Supersedes part of"],
  ["Superseded by", "Supersedes"],
  ["Extended by", "Extends"],
] as const;

const records = filesUnder("docs/decisions", ".md").filter((path) => !path.endsWith("README.md"));
const topics = new Set(records.map((path) => HEADING.exec(read(path))?.[2]?.toLowerCase()));
const formerTopics = new Set(records.flatMap((path) => /Formerly "([^"]+)"/.exec(statusOf(path))?.[1]?.toLowerCase()));
const citing = filesUnder("packages", ".ts").filter((path) => citedIn(read(path)).length > 0);

describe("the decisions", () => {
  it("are cited by the code, in more places than one", () => {
    expect(citing.length).toBeGreaterThan(20);
  });

  it.each(citing)("that %s names have a record", (path) => {
    expect(citedIn(read(path)).filter((topic) => !topics.has(topic) && !formerTopics.has(topic))).toEqual([]);
  });

  it.each(PACKAGES)("that $folder names are cited by their present titles", ({ folder }) => {
    const sources = filesUnder(`packages/${folder}/src`, ".ts");
    const former = sources.flatMap((path) => citedIn(read(path)).filter((topic) => formerTopics.has(topic)));
    expect(former).toEqual([]);
  });

  it.each(records)("of %s have the question, the choice, the reason and the cost", (path) => {
    const [, ...paragraphs] = read(path).trim().split("\n\n");
    const parts = paragraphs[0]?.startsWith(STATUS) ? paragraphs.slice(1) : paragraphs;
    expect(parts.map((text) => PARTS.find((part) => text.startsWith(part)))).toEqual(PARTS);
  });

  it("are numbered from 1 without a gap, in their file names and in their headings", () => {
    const numbers = records.map((path) => Number(HEADING.exec(read(path))?.[1]));
    expect(numbers).toEqual(records.map((_path, index) => index + 1));
    expect(records.map((path) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]))).toEqual(numbers);
  });

  it("have one topic each, which no other record has had", () => {
    expect(topics.size).toBe(records.length);
    expect([...topics].filter((topic) => formerTopics.has(topic))).toEqual([]);
  });

  it.each(records)("of %s have one line in the list, under their number and title", (path) => {
    const [, number, title] = HEADING.exec(read(path))!;
    expect(
      linesOfTheList().filter((line) => line.startsWith(`- [${number!}. ${title!}](./${nameOf(path)}): `)),
    ).toHaveLength(1);
  });

  it.each(records)("that %s replaces or extends link back to it, and so do those that replace or extend it", (path) => {
    const missing = COUNTERPARTS.flatMap(([older, newer]) => [
      ...linksAfter(path, older).filter((other) => !linksAfter(other, newer).includes(path)),
      ...linksAfter(path, newer).filter((other) => !linksAfter(other, older).includes(path)),
    ]);
    expect(missing).toEqual([]);
  });

  it.each(records)("of %s are marked in the list exactly where they are superseded", (path) => {
    const newer = ["Superseded in part by", "Superseded by"].flatMap((words) => linksAfter(path, words));
    const line = linesOfTheList().find((text) => text.includes(`](./${nameOf(path)}): `)) ?? "";
    const [, marks = ""] = line.split(/_Superseded /);
    expect([...marks.matchAll(/\]\(\.\/([^)]+)\)/g)].map(([, name]) => FOLDER + name!)).toEqual(newer);
  });
});

/** `(decision: a)`, `(decisions: a, b)`, `(spec, …; decision: a)`; a comment may break its lines anywhere. */
function citedIn(text: string): readonly string[] {
  const joined = text.replace(/\n\s*(\/\/|\*) ?/g, " ");
  return [...joined.matchAll(/\(([^()]*; )?decisions?: ([^();]+)/g)].flatMap(([, , topic]) => topic!.split(", "));
}

function statusOf(path: string): string {
  const [, status = ""] = read(path).trim().split("\n\n");
  return status.startsWith(STATUS) ? status.replaceAll("\n", " ") : "";
}

/** The records that a `Status` links to in its sentences that begin with these words. A number's dot ends none. */
function linksAfter(path: string, words: string): readonly string[] {
  const sentences = statusOf(path).split(/(?<=[^\d]\.) (?=[A-Z])/);
  return sentences
    .map((sentence) => sentence.replace(STATUS, ""))
    .filter((sentence) => sentence.startsWith(`${words} [`))
    .flatMap((sentence) => [...sentence.matchAll(/\]\(\.\/([^)]+)\)/g)].map(([, name]) => FOLDER + name!));
}

function linesOfTheList(): readonly string[] {
  return read(`${FOLDER}README.md`).split("\n");
}

function nameOf(path: string): string {
  return path.slice(FOLDER.length);
}
