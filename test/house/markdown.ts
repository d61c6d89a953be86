// Reads our documents: code blocks with their language, and links.

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

/** Links to files of the repository, relative to the document, without the part from `#` on. */
export function linksOf(document: string): readonly string[] {
  const prose = read(document).replace(/^```[\s\S]*?^```$/gm, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets.filter((target) => !/^(https?:|#)/.test(target)).map((target) => target.split("#")[0]!);
}

function blocksOf(document: string): readonly Block[] {
  const text = read(document);
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    place: `${document}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1]!.trim(),
    text: match[2]!,
  }));
}
