// Source files cite decisions as `(decision: schedule)`. Each cited title must have a record, each record must be complete
// and listed, and a record that replaces or extends another one must be linked with it in both directions.

import { describe, expect, it } from "vitest";
import { filesUnder, read } from "./packages.js";
import { flow, placeAt } from "./places.js";
import { expectNone } from "./violations.js";

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

const list = read(`${FOLDER}README.md`).split("\n");
const records = filesUnder("docs/decisions", ".md").filter((path) => !path.endsWith("README.md"));
const topics = new Set(records.map(topicOf));
const citations = filesUnder("packages", ".ts").flatMap(citedIn);

describe("the decisions", () => {
  it("are cited by the code, in more places than one", () => {
    expect(new Set(citations.map(({ path }) => path)).size).toBeGreaterThan(20);
  });

  it("that the code names have a record", () => {
    const others = citations.filter(({ topic }) => !topics.has(topic));
    expectNone(
      others.map(({ place, topic }) => `${place}: no decision has the title "${topic}": cite one of ${FOLDER}`),
    );
  });

  it("have the question, the choice, the reason and the cost", () => {
    const others = records.filter((path) => {
      const [, ...paragraphs] = read(path).trim().split("\n\n");
      const parts = paragraphs[0]?.startsWith(STATUS) ? paragraphs.slice(1) : paragraphs;
      return parts.length !== PARTS.length || !PARTS.every((part, at) => parts[at]!.startsWith(part));
    });
    expectNone(others.map((path) => `${path}: write four paragraphs that begin with ${PARTS.join("")}`));
  });

  it("are numbered from 1 without a gap, in their file names and in their headings", () => {
    const wrong = records.filter((path, index) => {
      const numbers = [/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1], HEADING.exec(read(path))?.[1]];
      return numbers.some((number) => Number(number) !== index + 1);
    });
    // Those after it are only moved by it.
    expectNone(
      wrong
        .slice(0, 1)
        .map((path) => `${path}: take number ${String(records.indexOf(path) + 1)} in its name and its heading`),
    );
  });

  it("have one topic each", () => {
    const titles = records.map(topicOf);
    const again = records.filter((path, at) => titles.indexOf(topicOf(path)) < at);
    expectNone(again.map((path) => `${path}: choose a title that no other record has`));
  });

  it("have one line each in the list, under their number and title", () => {
    const lines = records.map((path) => ({ path, line: `- ${linkTo(path)}: ` }));
    const others = lines.filter(({ line }) => list.filter((one) => one.startsWith(line)).length !== 1);
    expectNone(others.map(({ path, line }) => `${path}: give it one line in ${FOLDER}README.md: "${line}…?"`));
  });

  it("that replace or extend each other link to each other", () => {
    const missing = records.flatMap((path) =>
      COUNTERPARTS.flatMap(([older, newer]) => [
        ...linksAfter(path, older).map((other) => [other, newer, path] as const),
        ...linksAfter(path, newer).map((other) => [other, older, path] as const),
      ]),
    );
    const others = missing.filter(([path, words, other]) => !linksAfter(path, words).includes(other));
    expectNone(others.map(([path, words, other]) => `${path}: add to its Status: ${words} ${linkTo(other)}`));
  });

  it("are marked in the list exactly where they are superseded", () => {
    const others = records.filter((path) => {
      const newer = ["Superseded in part by", "Superseded by"].flatMap((words) => linksAfter(path, words));
      const line = list.find((text) => text.includes(`](./${nameOf(path)}): `)) ?? "";
      const [, marks = ""] = line.split(/_Superseded /);
      return [...marks.matchAll(/\]\(\.\/([^)]+)\)/g)].map(([, name]) => FOLDER + name!).join() !== newer.join();
    });
    expectNone(others.map((path) => `${path}: mark it in ${FOLDER}README.md as superseded by what its Status names`));
  });
});

interface Citation {
  readonly path: string;
  readonly place: string;
  readonly topic: string;
}

/** `(decision: a)`, `(decisions: a, b)`, `(spec, …; decision: a)`; a comment may break its lines anywhere. */
function citedIn(path: string): readonly Citation[] {
  const text = read(path);
  return [...flow(text).matchAll(/\((?:[^()]*; +)?decisions?: +([^();]+)/g)].flatMap(({ 1: cited, index }) => {
    const place = placeAt(path, text, index);
    return cited!.split(/, +/).map((topic) => ({ path, place, topic: topic.replace(/ +/g, " ") }));
  });
}

function topicOf(path: string): string | undefined {
  return HEADING.exec(read(path))?.[2]?.toLowerCase();
}

function linkTo(path: string): string {
  const [, number = "", title = ""] = HEADING.exec(read(path)) ?? [];
  return `[${number}. ${title}](./${nameOf(path)})`;
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

function nameOf(path: string): string {
  return path.slice(FOLDER.length);
}
