// Reads the user ids of a command, from its arguments or from a file, one per line; and splits them into requests.

import { MAX_DELETION_USERS } from "@postrider/core";
import { readFile } from "node:fs/promises";
import { expectedFile } from "../../config/read-text-file.js";

/** The most bytes of JSON that the ids of one request may take. */
const MAX_REQUEST_BYTES = 400_000;
/** The most bytes of JSON between two ids. */
const EXTRA_BYTES = 3;

export type ReadUserIdsResult =
  | { readonly kind: "ok"; readonly userIds: readonly string[] }
  /** Both arguments and a file were given, or neither; or the file cannot be read or has no ids. */
  | { readonly kind: "refused"; readonly reason: string };

export async function readUserIds(named: readonly string[], file: string | undefined): Promise<ReadUserIdsResult> {
  if (named.length > 0 === (file !== undefined)) return { kind: "refused", reason: "give either user ids or --file" };
  if (file === undefined) return { kind: "ok", userIds: named };
  try {
    const userIds = idsOf(await readFile(file, "utf8"));
    return userIds.length > 0 ? { kind: "ok", userIds } : { kind: "refused", reason: `${file} has no user ids` };
  } catch (error) {
    return { kind: "refused", reason: `cannot read ${file}: expected ${expectedFile(error)}` };
  }
}

function idsOf(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

/** Splits user ids into lists that each fit into one request. */
export function splitIntoRequests(userIds: readonly string[]): readonly (readonly string[])[] {
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
