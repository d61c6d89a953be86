// Decides with which settings a server starts: those of its file, or those that the store keeps for all servers on it. Into a store
// without settings it puts those of its file; a file that differs is refused (decision: settings in the store).

import type { Config } from "@postrider/relay/settings";
import { type Clock, MAX_SETTINGS_BYTES, type SettingsRevision } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { Buffer } from "node:buffer";
import { logProblems } from "../../config/config-problem.js";
import { differencesFrom, documentReferences, readDocumentInSteps } from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import { reasonOf } from "../../log/printable.js";
import { runInSlices } from "../../timing/run-in-slices.js";
import type { OpenedStores } from "../delivery-parts.js";
import { namedRevision, parseDocument, type StoreSettings } from "./follow-settings.js";
import { createSettingsRecords, type SettingsRecords } from "./settings-records.js";

export interface BeginOptions {
  readonly config: Config;
  readonly stores: Pick<OpenedStores, "store">;
  readonly references: References;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The config to start with; `storeSettings` is there if its workspace is that of the store. */
export type BeginResult =
  | { readonly kind: "ok"; readonly config: Config; readonly storeSettings?: StoreSettings | undefined }
  | { readonly kind: "refused"; readonly code: "store-unusable" | "config-refused"; readonly reason: string };

/** The most looks of a start at the store, if other servers change its settings meanwhile. */
const MAX_LOOKS = 3;

/** Never rejects. Problems are logged. */
export async function beginSettings(options: BeginOptions): Promise<BeginResult> {
  const { config, stores } = options;
  if (config.server.settings === "file") return { kind: "ok", config };
  const { records } = stores.store;
  if (records === undefined) return unusable("it keeps no records: leave settings out of the config");
  try {
    return await beginWith(options, createSettingsRecords(records));
  } catch (error) {
    return unusable(`its settings cannot be read: ${reasonOf(error)}`);
  }
}

async function beginWith(options: BeginOptions, settings: SettingsRecords): Promise<BeginResult> {
  const { config, clock, logger } = options;
  const written = config.written ?? {};
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const latest = await settings.latest(0);
    if (latest !== undefined) return adoptAtStart(options, settings, latest);
    const storeSettings = { settings, revision: 0, document: {} };
    if (Object.keys(written).length === 0) return { kind: "ok", config, storeSettings };
    const document = JSON.stringify(written);
    if (Buffer.byteLength(document) > MAX_SETTINGS_BYTES) return tooLarge();
    const put = await settings.put({ expect: 0, document, actor: "import" }, clock.wall());
    if (put.kind === "stale") continue;
    const detail = `revision ${String(put.revision)} is what this file has; remove ${Object.keys(written).join(", ")} from it`;
    logger.log("info", { code: "settings-imported", detail });
    return { kind: "ok", config, storeSettings: { ...storeSettings, revision: put.revision, document: written } };
  }
  return unusable("its settings change with each look");
}

/** The latest settings of the store, if this server can use them, and its file has no others. */
async function adoptAtStart(
  { config, references, clock, logger }: BeginOptions,
  settings: SettingsRecords,
  latest: SettingsRevision,
): Promise<BeginResult> {
  const where = namedRevision(latest.revision);
  const document = parseDocument(latest.document);
  const ownReferences = documentReferences(references, () => config.server);
  const read = await runInSlices(readDocumentInSteps(document, ownReferences), clock);
  const differences = differencesFrom(document ?? {}, config.written ?? {}, where);
  const problems = read.kind === "refused" ? [...read.problems, ...differences] : differences;
  if (read.kind === "refused" || problems.length > 0) {
    logProblems(problems, where, logger);
    const reason =
      read.kind === "refused" ? `this server cannot use ${where}` : `the config file differs from ${where}`;
    return { kind: "refused", code: "config-refused", reason };
  }
  logger.log("info", { code: "settings-adopted", detail: where });
  const storeSettings = { settings, revision: latest.revision, document: document ?? {} };
  return { kind: "ok", config: { ...config, workspace: read.value }, storeSettings };
}

function unusable(why: string): BeginResult {
  return { kind: "refused", code: "store-unusable", reason: `the store cannot be used for settings: ${why}` };
}

function tooLarge(): BeginResult {
  const reason = `the settings of the file are longer than the ${String(MAX_SETTINGS_BYTES)} bytes that a store takes`;
  return { kind: "refused", code: "config-refused", reason };
}
