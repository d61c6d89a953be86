// Finds one user in a set of an audience, which can be read only in order: begins right before the user.

import type { Member } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { AudienceStorage } from "../audience/audience-storage.js";
import { MAX_LOOK_UP_PAGES } from "../limits.js";
import type { StoreFault } from "../fault.js";

/** The member with this id; undefined if the set has none. `unavailable` if the store does not come to an end. */
export async function findMember(
  { ask }: Pick<AudienceStorage, "ask">,
  set: string,
  userId: string,
): Promise<Result<Member | undefined, StoreFault>> {
  let after = rightBefore(userId);
  for (let pages = 0; pages < MAX_LOOK_UP_PAGES; pages += 1) {
    const page = await ask((audiences) => (after === undefined ? audiences.read(set) : audiences.read(set, after)));
    if (page.isErr()) return err(page.error);
    const last = page.value.at(-1);
    const found = page.value.find((member) => member.userId === userId);
    if (found !== undefined || last === undefined || last.userId >= userId) return ok(found);
    after = last.userId;
  }
  return err({ code: "unavailable" });
}

const HIGHEST = "\uffff";
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** A text that is less than the id, by UTF-16 code units, and that few ids are between; undefined: the empty text. */
function rightBefore(userId: string): string | undefined {
  const last = userId.charCodeAt(userId.length - 1);
  const start = userId.slice(0, -1);
  if (last > 0 && !isNearSurrogates(last)) return start + String.fromCharCode(last - 1) + HIGHEST;
  const known = start.replace(/[\ud800-\udbff]$/, "");
  return known === "" ? undefined : known;
}

/** Half of a pair is no text that every store can keep. */
function isNearSurrogates(unit: number): boolean {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE + 1;
}
