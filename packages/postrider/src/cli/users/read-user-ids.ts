// Whom a command is about: the users that it names, or those of a file, one a line.

import { MAX_DELETION_USERS } from "@postrider/core";
import { readFile } from "node:fs/promises";

/** What a request may hold beside its users, and each of them beside its id, in bytes of JSON. */
const MAX_REQUEST_BYTES = 400_000;
const EXTRA_BYTES = 3;

export type UserIds =
  | { readonly kind: "read"; readonly userIds: readonly string[] }
  /** Neither or both were given, or nobody is named. */
  | { readonly kind: "bad"; readonly reason: string };

export async function readUserIds(named: readonly string[], file: string | undefined): Promise<UserIds> {
  if (named.length > 0 === (file !== undefined)) return { kind: "bad", reason: "give either user ids or --file" };
  if (file === undefined) return { kind: "read", userIds: named };
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { kind: "bad", reason: `cannot read ${file}` };
  const userIds = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  return userIds.length > 0 ? { kind: "read", userIds } : { kind: "bad", reason: `${file} names nobody` };
}

/** As many lists as it takes for each of them to be one request. */
export function inRequests(userIds: readonly string[]): readonly (readonly string[])[] {
  const requests: string[][] = [];
  let bytes = 0;
  for (const userId of userIds) {
    const last = requests.at(-1);
    const size = Buffer.byteLength(JSON.stringify(userId)) + EXTRA_BYTES;
    const isFull = last === undefined || last.length === MAX_DELETION_USERS || bytes + size > MAX_REQUEST_BYTES;
    bytes = isFull ? size : bytes + size;
    if (isFull) requests.push([userId]);
    else last.push(userId);
  }
  return requests;
}
