// Looks at the store of a config without opening it: whether it could be opened and written, whether it is in use, and how much
// room it has.

import type { ServerSettings } from "@postrider/codec";
import { type InspectedStore, inspectStore, type StoreFileState } from "@postrider/sqlite-file";
import { formatCount } from "../format-count.js";
import type { CheckFinding } from "./check-finding.js";
import { MIN_FREE_BYTES } from "./limits.js";

export function checkStore(store: ServerSettings["store"]): readonly CheckFinding[] {
  if (store.kind === "memory") {
    return [{ kind: "note", code: "store-in-memory", path: "store", message: "memory: loses everything at the end" }];
  }
  const inspected = inspectStore(store.path);
  if (inspected.kind === "refused") {
    const { code, message } = inspected.error;
    return [{ kind: "fault", code, path: "store", message }];
  }
  const message = `${store.path} ${stateInWords(inspected.store)}`;
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
