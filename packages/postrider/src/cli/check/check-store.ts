// Looks at the store of a config without opening it: whether it could be opened and written, whether it is in use, and how much
// room it has.

import type { ServerSettings } from "@postrider/codec";
import type { Clock } from "@postrider/core";
import { type InspectedStore, inspectStore, type StoreFileState } from "@postrider/sqlite-file";
import { formatCount } from "../format-count.js";
import { checkDatabase } from "./check-database.js";
import type { CheckFinding } from "./check-finding.js";
import { MIN_FREE_BYTES } from "./limits.js";

export async function checkStore(
  store: ServerSettings["store"],
  { clock }: { readonly clock: Pick<Clock, "wall"> },
): Promise<readonly CheckFinding[]> {
  switch (store.kind) {
    case "memory":
      return [{ kind: "note", code: "store-in-memory", path: "store", message: "memory: loses everything at the end" }];
    case "postgres":
      return checkDatabase(store.url, clock);
    case "sqlite":
      return checkFile(store.path);
  }
}

function checkFile(path: string): readonly CheckFinding[] {
  const inspected = inspectStore(path);
  if (inspected.kind === "refused") {
    const { code, message } = inspected.error;
    return [{ kind: "fault", code, path: "store", message }];
  }
  const message = `${path} ${stateInWords(inspected.store)}`;
  const state: CheckFinding = { kind: "ok", code: `store-${inspected.store.state}`, path: "store", message };
  return [state, ...checkRoom(inspected.store)];
}

const STATES: Readonly<Record<StoreFileState, string>> = {
  new: "does not exist; serve creates it",
  closed: "can be opened",
  "in-use": "can be opened; a process is using it",
  unclosed: "can be opened; it was not closed, or a process is using it",
};

function stateInWords({ state, isOlder }: InspectedStore): string {
  return isOlder ? `${STATES[state]}; serve migrates it to the current version` : STATES[state];
}

function checkRoom({ freeBytes }: InspectedStore): readonly CheckFinding[] {
  if (freeBytes >= MIN_FREE_BYTES) return [];
  const message = `its disk has ${formatCount(freeBytes / MIB)} MiB free; calls are refused once it is full`;
  return [{ kind: "warning", code: "little-room", path: "store", message, change: "make room" }];
}

const MIB = 1_048_576;
