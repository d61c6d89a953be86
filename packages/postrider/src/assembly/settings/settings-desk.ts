// What the API is told of the settings of a server, and what it may change: those of the store by the revision that an editor has
// seen, those of a file not at all. Shows no secret: there is none in a document, and that of a file is hidden.

import type { SettingsCheck, SettingsDesk } from "@postrider/api";
import { type Clock, createStoreError, MAX_SETTINGS_BYTES, type SettingsStore } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { Buffer } from "node:buffer";
import { prepareConfig } from "../../config/prepare-config.js";
import { readDocumentInSteps } from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import { runInSlices } from "../../timing/run-in-slices.js";
import { resolvesWithin } from "../../timing/within.js";
import type { ServerSettingsInForce } from "../delivery-parts.js";
import type { SettingsFollower } from "./follow-settings.js";
import { DESK_WAIT_MS } from "./limits.js";
import { parseDocument } from "./parse-document.js";

export interface DeskOptions {
  /** Undefined if the file owns the settings. */
  readonly stored: { readonly settings: SettingsStore; readonly follower: SettingsFollower } | undefined;
  readonly inForce: ServerSettingsInForce;
  readonly references: References;
  readonly clock: Clock;
}

export function createSettingsDesk({ stored, inForce, references, clock }: DeskOptions): SettingsDesk {
  async function check(document: unknown): Promise<SettingsCheck> {
    const read = await runInSlices(readDocumentInSteps(document, references), clock);
    if (read.kind === "refused") return { problems: read.problems };
    const { server } = inForce.config;
    const prepared = await runInSlices(prepareConfig({ server, workspace: read.value }), clock);
    const problems = prepared.kind === "refused" ? prepared.problems : [];
    const isLarge = Buffer.byteLength(JSON.stringify(document)) > MAX_SETTINGS_BYTES;
    return { problems: isLarge ? [...problems, TOO_LARGE] : problems };
  }

  return {
    owner: stored === undefined ? "file" : "store",
    inForce: () => stored?.follower.inForce(),
    refused: () => stored?.follower.refused(),
    show: async (revision) => {
      if (stored === undefined) return revision === undefined ? { document: inForce.config.written ?? {} } : undefined;
      const { settings } = stored;
      const found = await inTime(revision === undefined ? settings.latest(0) : settings.find(revision), clock);
      if (found !== undefined) return { ...found, document: parseDocument(found.document) ?? {} };
      return revision === undefined ? { revision: 0, document: {} } : undefined;
    },
    history: () => (stored === undefined ? Promise.resolve([]) : inTime(stored.settings.history(), clock)),
    check,
    put: async ({ expect, document, actor }) => {
      if (stored === undefined) return { kind: "file" };
      const { problems } = await check(document);
      if (problems.length > 0) return { kind: "invalid", problems };
      const edit = { expect, document: JSON.stringify(document), ...defined({ actor }) };
      const answer = await inTime(stored.settings.put(edit, clock.wall()), clock);
      stored.follower.wake();
      return answer;
    },
  };
}

const TOO_LARGE = { code: "too-many", path: "", expected: `at most ${String(MAX_SETTINGS_BYTES)} bytes of JSON` };

/** Rejects if the store has not answered in time; what was asked may still take effect. */
async function inTime<T>(asked: Promise<T>, clock: Pick<Clock, "after">): Promise<T> {
  if (await resolvesWithin(clock, DESK_WAIT_MS, asked)) return asked;
  throw createStoreError("unavailable", "the store does not answer in time");
}
