// Every link of every document has a target: the file, and the heading after `#`. The README of a package is read where only
// that package is, so its links to this repository are absolute.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { anchorsOf, DOCUMENTS, linksOf, undefinedLabels } from "./markdown.js";
import { PACKAGES, read, ROOT } from "./packages.js";
import { expectNone } from "./violations.js";

const { repository } = JSON.parse(read("package.json")) as { readonly repository: { readonly url: string } };
const HOME = repository.url.replace(/^git\+|\.git$/g, "");
/** The host of the repository shows a file under `blob`, a folder under `tree`, and the README under the bare address. */
const OWN = new RegExp(`^${HOME}(?:/(?:blob|tree)/main/([^#]+))?(?:#(.+))?$`);
/** Pages of the repository's host that are no files. */
const SERVICES = [`${HOME}/issues`, `${HOME}/security/advisories`];

interface Target {
  readonly file: string;
  readonly anchor?: string | undefined;
}

describe("links", () => {
  it("lead to a file of the repository, and to a heading in it", () => {
    const broken = DOCUMENTS.flatMap((document) =>
      linksOf(document).filter(({ target }) => isBroken(document, target)),
    );
    expectNone([
      ...broken.map(
        ({ place, target }) => `${place}: ${target} leads to no file or no heading: link to one that exists`,
      ),
      ...DOCUMENTS.flatMap(undefinedLabels).map(
        ({ place, target }) => `${place}: define [${target}]: at the end of the document`,
      ),
    ]);
  });

  it("of the README of a package also work on its page", () => {
    const links = PACKAGES.flatMap(({ folder }) => linksOf(`packages/${folder}/README.md`));
    const others = links.filter(({ target }) => !/^(https:|#)/.test(target));
    expectNone(
      others.map(({ place, target }) => `${place}: write the whole address of ${target}: ${HOME}/blob/main/…`),
    );
  });

  it.each([
    ["README.md", "docs/gone.md"],
    ["README.md", "docs/errors.md#gone"],
    ["docs/errors.md", "#gone"],
    ["packages/core/README.md", `${HOME}/blob/main/docs/gone.md`],
    ["packages/core/README.md", `${HOME}/blob/main/docs/errors.md#gone`],
    ["packages/core/README.md", `${HOME}/wiki`],
    ["README.md", "http://plain.example"],
  ])("of %s to %s would be found broken", (document, link) => {
    expect(isBroken(document, link)).toBe(true);
  });

  it.each([
    ["README.md", "docs/errors.md#bugs"],
    ["docs/errors.md", "#bugs"],
    ["packages/core/README.md", `${HOME}#the-packages`],
    ["packages/core/README.md", `${HOME}/tree/main/packages/relay`],
  ])("of %s to %s are good", (document, link) => {
    expect(isBroken(document, link)).toBe(false);
  });
});

/** Links to other hosts are not followed, since a test must not depend on them. */
function isBroken(document: string, link: string): boolean {
  if (SERVICES.includes(link)) return false;
  if (link.startsWith("https:") && link !== HOME && !/^[/#]/.test(link.replace(HOME, ""))) return false;
  const target = /^https?:/.test(link) ? ownTarget(link) : relativeTarget(document, link);
  return target === undefined || isMissing(target);
}

function ownTarget(link: string): Target | undefined {
  const match = OWN.exec(link);
  // GitHub shows the README at the bare address, with `#readme` for its beginning.
  return match === null
    ? undefined
    : { file: match[1] ?? "README.md", anchor: match[2] === "readme" ? undefined : match[2] };
}

function relativeTarget(document: string, link: string): Target {
  const [path = "", anchor] = link.split("#");
  return { file: path === "" ? document : join(dirname(document), path), anchor };
}

function isMissing({ file, anchor }: Target): boolean {
  if (!existsSync(join(ROOT, file))) return true;
  return anchor !== undefined && !(file.endsWith(".md") && anchorsOf(file).includes(anchor));
}
