// The secrets of the whole test run. Whatever makes a workspace for a test takes them from here, and whatever is logged,
// answered, sent, printed, thrown or stored is shown to `look`. `canary-watch.ts` fails the test in which one was seen.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

/** Every secret of the run begins so, and nothing else does. */
export const MARK = "WATCHED-";
export const SECRET = `${MARK}shared-secret`;
export const OLD_SECRET = `${MARK}old-secret`;
export const WRITE_KEY = `${MARK}website-key`;
export const SHOP_KEY = `${MARK}shop-key`;
export const TOKEN = `${MARK}api-token`;
export const VIEWER_TOKEN = `${MARK}viewer-token`;

/** Settings for browsers repeat the key that they were asked with (decision: http front). That is no leak. */
const REPEATED = `"apiKey":"${WRITE_KEY}"`;
/** What a test writes on purpose, its configs and token files, and what npm installs. */
const NOT_LOOKED_AT = /\.(?:json|secret)$|^node_modules$/;
const AROUND = 60;
/** Of more than these nothing more is learned. */
const MAX_SEEN = 20;
const FORMS = [MARK, Buffer.from(MARK).toString("hex"), ...base64Forms(MARK)];
const seen: string[] = [];

/** Answers whether a secret is in it, plain, as hex or as base64, and takes note if so. */
export function look(where: string, what: unknown): boolean {
  const text = textOf(what).replaceAll(REPEATED, "");
  const at = Math.max(...FORMS.map((form) => text.indexOf(form)));
  if (at === -1) return false;
  const around = text.slice(Math.max(0, at - AROUND), at + AROUND).replaceAll(/[^ -~]+/g, " ");
  if (seen.length < MAX_SEEN) seen.push(`${where}: ${around}`);
  return true;
}

/**
 * Looks at the bytes of every file in a folder and below; of those in `seenBefore`, only if their size or time has changed since.
 * Another test may take them away meanwhile.
 */
export function lookAtFiles(from: string, seenBefore = new Map<string, string>()): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    if (NOT_LOOKED_AT.test(entry.name)) continue;
    try {
      if (entry.isDirectory()) lookAtFiles(path, seenBefore);
      if (!entry.isFile()) continue;
      const { size, mtimeNs } = statSync(path, { bigint: true });
      const version = `${String(size)} ${String(mtimeNs)}`;
      if (seenBefore.get(path) === version) continue;
      look(`the file ${entry.name}`, readFileSync(path));
      seenBefore.set(path, version);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

/** Where secrets were seen since it was asked last, each with the text around it. */
export function takeSeen(): readonly string[] {
  return seen.splice(0);
}

function textOf(what: unknown): string {
  if (typeof what === "string") return what;
  if (what instanceof Uint8Array) return Buffer.from(what.buffer, what.byteOffset, what.length).toString("latin1");
  return inspect(what, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });
}

/** What stays of a text in base64, wherever among the groups of three bytes it begins. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const written = Buffer.from(`${"-".repeat(before)}${text}`).toString("base64");
    return written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
}
