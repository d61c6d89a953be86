// The forms in which a user id may be written in a file or a line of the log, and the search for them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** All forms of an id, each once. */
export function formsOf(userId: string): readonly Buffer[] {
  const utf8 = Buffer.from(userId);
  const utf16 = Buffer.from(userId, "utf16le");
  const swapped = Buffer.from(utf16).swap16();
  const texts = [
    JSON.stringify(userId).slice(1, -1),
    escapedBeyondAscii(userId),
    encodeURIComponent(userId),
    encodeURIComponent(userId).replaceAll("%20", "+"),
    ...[utf8, utf16, swapped].flatMap((bytes) => [bytes.toString("hex"), bytes.toString("hex").toUpperCase()]),
    ...base64Forms(utf8),
  ];
  const all = [utf8, utf16, swapped, ...texts.map((text) => Buffer.from(text))];
  return [...new Map(all.map((form) => [form.toString("hex"), form])).values()];
}

/** JSON with all other characters escaped, so that it is ASCII. */
function escapedBeyondAscii(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The part of the bytes' base64, plain or for URLs, that does not depend on their position in a group of three. */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** How often an id occurs in these bytes, in any form. */
export function timesIn(bytes: Uint8Array, userId: string): number {
  const text = Buffer.from(bytes).toString("latin1");
  return formsOf(userId).reduce((sum, form) => sum + text.split(form.toString("latin1")).length - 1, 0);
}

/** How often it occurs in each file of a folder and its subfolders; files without it are left out. */
export function timesInFiles(folder: string, userId: string): Readonly<Record<string, number>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const counts = files.map(
    ({ parentPath, name }) => [name, timesIn(readFileSync(join(parentPath, name)), userId)] as const,
  );
  return Object.fromEntries(counts.filter(([, times]) => times > 0));
}
