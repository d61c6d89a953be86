// Reads our documents: code blocks with their language, links and anchors.

import { filesUnder, read } from "./packages.js";

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

/** The targets of all links, as written: within the text, and in definitions such as `[core]: https://…`. */
export function linksOf(document: string): readonly string[] {
  const prose = proseOf(document);
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, inline, defined]) => (inline ?? defined)!,
  );
}

/** The labels that a document uses, as in `[text][label]`, and has no definition for. */
export function undefinedLabels(document: string): readonly string[] {
  const prose = proseOf(document).replace(/`[^`]*`/g, "code");
  const defined = [...prose.matchAll(/^\[([^\]]+)\]: /gm)].map(([, label]) => label!);
  const used = [...prose.matchAll(/\]\[([^\]]+)\]/g)].map(([, label]) => label!);
  return used.filter((label) => !defined.includes(label));
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
  return read(document).replace(/^```[\s\S]*?^```$/gm, "");
}

function blocksOf(document: string): readonly Block[] {
  const text = read(document);
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    place: `${document}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1]!.trim(),
    text: match[2]!,
  }));
}
