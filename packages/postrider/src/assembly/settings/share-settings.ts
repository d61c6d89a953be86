// Connects the parts for the settings of a server: one puts them in force, one follows the store, and the desk shows and takes them over
// HTTP, by the revision that an editor has seen. Settings of a file are only shown, with secrets hidden. Starts nothing.

import type { SettingsCheck, SettingsDesk } from "@postrider/http/api";
import { type Clock, createStoreError, type JsonObject, MAX_SETTINGS_BYTES, type Random } from "@postrider/core";
import { defined, isPlainObject } from "@postrider/core/engine";
import type { CheckedSettings } from "@postrider/relay";
import type { ListenAddress } from "@postrider/undici";
import { Buffer } from "node:buffer";
import { prepareConfig } from "../../config/prepare-config.js";
import {
  documentReferences,
  type DocumentReferences,
  lockedProblems,
  readDocumentInSteps,
  sealDocumentInSteps,
} from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import { runInSlices } from "../../timing/run-in-slices.js";
import { resolvesWithin } from "../../timing/within.js";
import type { DeliveryParts, ServerSettingsInForce } from "../delivery-parts.js";
import { createReconfigurer, type Reconfigurer } from "../reconfigure.js";
import { createDraftProbes, createDraftTests, type ProbeDraft, type SendDraftTest } from "./drafts.js";
import { createSettingsFollower, parseDocument, type StoreSettings, type SettingsFollower } from "./follow-settings.js";
import type { SettingsRecords } from "./settings-records.js";

interface SharedSettings {
  readonly reconfigurer: Reconfigurer;
  /** Undefined if the file owns the settings. */
  readonly follower: SettingsFollower | undefined;
  readonly desk: SettingsDesk;
}

interface ShareOptions {
  /** Undefined if the file owns the settings. */
  readonly storeSettings: StoreSettings | undefined;
  readonly references: References;
  /** The addresses on which this server listens. */
  readonly refuse: () => readonly ListenAddress[];
}

/** The time for which a caller of the API waits for the store, in ms. */
const DESK_WAIT_MS = 5_000;

const TOO_LARGE = { code: "too-many", path: "", expected: `at most ${String(MAX_SETTINGS_BYTES)} bytes of JSON` };

export function shareSettings(parts: DeliveryParts, options: ShareOptions): SharedSettings {
  const { clock, random, logger, settings } = parts;
  const { storeSettings } = options;
  const references = documentReferences(options.references, () => settings.config.server);
  const reconfigurer = createReconfigurer(parts);
  const followerOptions = { reconfigurer, references: options.references, clock, logger, config: settings.config };
  const follower = storeSettings && createSettingsFollower({ ...followerOptions, storeSettings });
  const sendTest = createDraftTests({ http: parts.http, clock, random });
  const probe = createDraftProbes({
    clock,
    logger,
    network: () => settings.config.server.network,
    refuse: options.refuse,
  });
  const stored = storeSettings && follower && { settings: storeSettings.settings, follower };
  const desk = createSettingsDesk({ stored, inForce: settings, references, clock, random, sendTest, probe });
  return { reconfigurer, follower, desk };
}

interface DeskOptions {
  /** Undefined if the file owns the settings. */
  readonly stored: { readonly settings: SettingsRecords; readonly follower: SettingsFollower } | undefined;
  readonly inForce: ServerSettingsInForce;
  readonly references: DocumentReferences;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  readonly sendTest: SendDraftTest;
  readonly probe: ProbeDraft;
}

/** The settings of a document if this server could use it, otherwise its problems. */
type UsableResult =
  { readonly kind: "ok"; readonly settings: CheckedSettings } | ({ readonly kind: "refused" } & SettingsCheck);

function createSettingsDesk(options: DeskOptions): SettingsDesk {
  const { stored, inForce, references, clock, random, sendTest, probe } = options;

  /** The document as it is stored: plain secrets are sealed, if there is a key. */
  function seal(document: unknown): Promise<unknown> {
    return runInSlices(sealDocumentInSteps(document, references, random), clock);
  }

  async function prepare(document: unknown): Promise<UsableResult> {
    const read = await runInSlices(readDocumentInSteps(document, references), clock);
    if (read.kind === "refused") return read;
    const { server } = inForce.config;
    const prepared = await runInSlices(prepareConfig({ server, workspace: read.value }), clock);
    const problems = prepared.kind === "refused" ? prepared.problems : [];
    const isLarge = Buffer.byteLength(JSON.stringify(document)) > MAX_SETTINGS_BYTES;
    const allProblems = isLarge ? [...problems, TOO_LARGE] : problems;
    return prepared.kind === "ok" && allProblems.length === 0 ? prepared : { kind: "refused", problems: allProblems };
  }

  /** The settings that the file of this server has too, and that may only be changed there first. */
  const locked = (): JsonObject => (stored === undefined ? {} : (inForce.config.written ?? {}));

  /** Like `prepare`; refused too if this server would not start again with its file. */
  async function prepareToPut(document: unknown): Promise<UsableResult> {
    const usable = await prepare(document);
    const differences = lockedProblems(isPlainObject(document) ? document : {}, locked());
    const problems = usable.kind === "ok" ? differences : [...usable.problems, ...differences];
    return usable.kind === "ok" && problems.length === 0 ? usable : { kind: "refused", problems };
  }

  return {
    owner: stored === undefined ? "file" : "store",
    locked: () => Object.keys(locked()),
    inForce: () => stored?.follower.inForce(),
    refused: () => stored?.follower.refused(),
    show: async (revision) => {
      if (stored === undefined) return revision === undefined ? { document: inForce.config.written ?? {} } : undefined;
      const { settings } = stored;
      const shown = await inTime(revision === undefined ? settings.latest(0) : settings.find(revision), clock);
      if (shown !== undefined) return { ...shown, document: parseDocument(shown.document) ?? {} };
      return revision === undefined ? { revision: 0, document: {} } : undefined;
    },
    history: () => (stored === undefined ? Promise.resolve([]) : inTime(stored.settings.history(), clock)),
    check: async (document) => {
      const usable = await prepareToPut(await seal(document));
      return { problems: usable.kind === "ok" ? [] : usable.problems };
    },
    probe: async ({ document, destination }) => {
      const usable = await prepare(await seal(document));
      return usable.kind === "ok" ? probe(usable.settings, destination) : { ...usable, kind: "invalid" };
    },
    test: async ({ document, ...request }) => {
      const usable = await prepare(await seal(document));
      return usable.kind === "ok" ? sendTest(usable.settings, request) : { ...usable, kind: "invalid" };
    },
    put: async ({ expect, document: plainDocument, actor }) => {
      if (stored === undefined) return { kind: "file" };
      const document = await seal(plainDocument);
      const usable = await prepareToPut(document);
      if (usable.kind === "refused") return { ...usable, kind: "invalid" };
      const edit = { expect, document: JSON.stringify(document), ...defined({ actor }) };
      const answer = await inTime(stored.settings.put(edit, clock.wall()), clock);
      stored.follower.wake();
      return answer;
    },
  };
}

/** Rejects if the store has not answered in time; what was asked may still take effect. */
async function inTime<T>(answer: Promise<T>, clock: Pick<Clock, "after">): Promise<T> {
  if (await resolvesWithin(clock, DESK_WAIT_MS, answer)) return answer;
  throw createStoreError("unavailable", "the store does not answer in time");
}
