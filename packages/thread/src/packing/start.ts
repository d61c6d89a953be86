// Packs the state in which a delivery begins.

import type { EpochMs, InitialState } from "@postrider/core";
import { damaged, type FlatReader, takeNumber, takeSharedText } from "../flat-reader.js";
import { type FlatWriter, writeNumber, writeShared } from "../flat-writer.js";
import type { AllFields } from "./all-fields.js";

const CLAIMED = 0;
const WAITING = 1;
const DEAD = 2;

export function writeStart(to: FlatWriter, start: AllFields<InitialState, "kind" | "dueAt" | "reason">): void {
  switch (start.kind) {
    case "claimed":
      writeNumber(to, CLAIMED);
      return;
    case "waiting":
      writeNumber(to, WAITING);
      writeNumber(to, start.dueAt);
      return;
    case "dead":
      writeNumber(to, DEAD);
      writeShared(to, start.reason);
  }
}

export function readStart(from: FlatReader): InitialState {
  const kind = takeNumber(from);
  if (kind === CLAIMED) return { kind: "claimed" };
  if (kind === WAITING) return { kind: "waiting", dueAt: takeNumber(from) as EpochMs };
  if (kind === DEAD) return { kind: "dead", reason: takeSharedText(from) as "lane-full" };
  throw damaged();
}
