// Reads our documents: code blocks with their language, links and anchors.

import { filesUnder, read } from "./packages.js";
import { blank, placeAt } from "./places.js";

export interface Block {
  /** Where the block begins, such as `README.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** All documents of the repository. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  ...filesUnder("docs", ".md"),
  ...filesUnder("packages", ".md"),
  ...filesUnder("test", ".md"),
];

export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap(blocksOf);

export function blocksIn(...languages: readonly string[]): readonly Block[] {
  return BLOCKS.filter(({ language }) => languages.includes(language));
}

/** The programs of a document: the text of each by its file, which the comment in its first line names. */
export function programsIn(document: string, ...languages: readonly string[]): ReadonlyMap<string, string> {
  const blocks = blocksIn(...languages).filter(({ place }) => place.startsWith(document));
  return new Map(blocks.map(({ text }) => [/^(?:\/\/|#) (\S+)$/m.exec(text)![1]!, text]));
}

export interface Link {
  readonly place: string;
  /** As written, or the label of a definition. */
  readonly target: string;
}

/** All links: within the text, and in definitions such as `[core]: https://…`. */
export function linksOf(document: string): readonly Link[] {
  return linksIn(document, proseOf(document), /\]\(([^)\s]+)\)|(?<=^\[[^\]]+\]: )(\S+)$/gm);
}

/** The labels that a document uses, as in `[text][label]`, and has no definition for. */
export function undefinedLabels(document: string): readonly Link[] {
  const prose = proseOf(document).replace(/`[^`]*`/g, blank);
  const defined = [...prose.matchAll(/^\[([^\]]+)\]: /gm)].map(([, label]) => label!);
  return linksIn(document, prose, /\]\[([^\]]+)\]/g).filter(({ target }) => !defined.includes(target));
}

function linksIn(document: string, prose: string, pattern: RegExp): readonly Link[] {
  return [...prose.matchAll(pattern)].map((match) => ({
    place: placeAt(document, prose, match.index),
    target: (match[1] ?? match[2])!,
  }));
}

/** The anchors of a document, made from its headings as GitHub does, and those that are written as HTML. */
export function anchorsOf(document: string): readonly string[] {
  const prose = proseOf(document);
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
  const repeated = headings.map((anchor, at) => {
    const before = headings.slice(0, at).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${String(before)}`;
  });
  return [...repeated, ...[...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

function anchorOf(heading: string): string {
  const text = heading.replace(/\]\([^)]*\)/g, "").toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

function proseOf(document: string): string {
  return read(document).replace(/^```[\s\S]*?^```$/gm, blank);
}

function blocksOf(document: string): readonly Block[] {
  const text = read(document);
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    place: placeAt(document, text, match.index),
    language: match[1]!.trim(),
    text: match[2]!,
  }));
}
