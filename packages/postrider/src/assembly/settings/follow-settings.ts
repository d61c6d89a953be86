// Follows the settings that a store keeps for all servers on it: asks every second for a revision above the one in force, and puts it in
// force in slices, as a reload does. A revision that this server cannot use is logged, and changes nothing (decision: settings in the
// store). The relay learns of it by `configure` alone.

import type { Config } from "@postrider/relay/settings";
import type { Clock, JsonObject, SettingsRevision } from "@postrider/core";
import { defined, isPlainObject, storeErrorCodeOf } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import { type ConfigProblem, describeProblems } from "../../config/config-problem.js";
import { differencesFrom, documentReferences, readDocumentInSteps } from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import { reasonOf } from "../../log/printable.js";
import { runInSlices } from "../../timing/run-in-slices.js";
import type { ConfigureResult, Reconfigurer } from "../reconfigure.js";
import type { SettingsRecords } from "./settings-records.js";

/** The interval at which the store is asked for newer settings, in ms: all servers have them within twice this. */
const FOLLOW_MS = 1_000;

/** The interval at which settings that could not be adopted are tried again, in ms: a file that they name may have come. */
const ADOPT_AGAIN_MS = 10_000;

/** The settings of the store with which a server has started. */
export interface StoreSettings {
  readonly settings: SettingsRecords;
  /** 0 if the store had none. */
  readonly revision: number;
  readonly document: JsonObject;
}

/** A revision that this server cannot use, and why. */
interface RefusedSettings {
  readonly revision: number;
  readonly problems: readonly ConfigProblem[];
}

export interface SettingsFollower {
  /** The revision in force; 0 if the store had none. */
  inForce(): number;
  /** The latest revision, if this server cannot use it. */
  refused(): RefusedSettings | undefined;
  /** Puts the part of a config file about this server in force, with the settings of the store. */
  configure(config: Config): Promise<ConfigureResult>;
  start(): void;
  /** Looks for new settings now, and not only at the next turn. */
  wake(): void;
  stop(): void;
}

interface FollowerOptions {
  readonly storeSettings: StoreSettings;
  /** The config of the start. */
  readonly config: Config;
  readonly reconfigurer: Pick<Reconfigurer, "inSlices">;
  readonly references: References;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createSettingsFollower(options: FollowerOptions): SettingsFollower {
  const { storeSettings, reconfigurer, clock, logger } = options;
  const { settings } = storeSettings;
  let fileConfig = options.config;
  let inForce: Pick<StoreSettings, "revision" | "document"> & { readonly actor?: string } = storeSettings;
  let refused: (RefusedSettings & { readonly againAt: number }) | undefined;
  let isUnreadable = false;
  const turns = createTurns(clock, FOLLOW_MS, look);

  async function look(): Promise<void> {
    const isTooEarly = refused !== undefined && clock.monotonic() < refused.againAt;
    const latest = await settings.latest(isTooEarly ? (refused?.revision ?? 0) : inForce.revision).catch(failToRead);
    isUnreadable = false;
    if (latest !== undefined) await adopt(latest);
  }

  /** Throws the error again. Logs once that the settings are corrupt, since the next turns find the same. */
  function failToRead(error: unknown): never {
    const isCorrupt = storeErrorCodeOf(error) === "corrupt";
    if (isCorrupt && !isUnreadable) logger.log("error", { code: "settings-refused", detail: reasonOf(error) });
    isUnreadable ||= isCorrupt;
    throw error;
  }

  async function adopt({ revision, actor, document: text }: SettingsRevision): Promise<void> {
    const [document, adopted] = [parseDocument(text), { revision, ...defined({ actor }) }];
    const result = await putInForce(fileConfig, document ?? null, adopted);
    if (result.kind === "refused") refuse(revision, result.problems);
    if (result.kind !== "configured") return;
    inForce = { ...adopted, document: document ?? {} };
    refused = undefined;
  }

  function refuse(revision: number, problems: readonly ConfigProblem[]): void {
    const isLogged = refused?.revision === revision;
    refused = { revision, problems, againAt: clock.monotonic() + ADOPT_AGAIN_MS };
    if (isLogged) return;
    const where = namedRevision(revision);
    for (const line of describeProblems(problems, where))
      logger.log("error", { code: "settings-refused", detail: `${where}: ${line}` });
  }

  async function putInForce(
    { server, written }: Config,
    document: unknown,
    adopted?: { readonly revision: number },
  ): Promise<ConfigureResult> {
    // The names and keys are those of the config that is to come into force, which may be the first to have them.
    const references = documentReferences(options.references, () => server);
    const read = await runInSlices(readDocumentInSteps(document, references), clock);
    if (read.kind === "refused") return read;
    return reconfigurer.inSlices({ server, workspace: read.value, ...defined({ written }) }, adopted);
  }

  return {
    inForce: () => inForce.revision,
    refused: () => refused,
    configure: (config) =>
      turns.between(async () => {
        const { revision, actor, document } = inForce;
        const where = namedRevision(revision);
        const isOwner = config.server.settings === "store";
        const problems = isOwner ? differencesFrom(document, config.written ?? {}, where) : [];
        if (problems.length > 0) return { kind: "refused", problems };
        const adopted = revision === 0 ? undefined : { revision, ...defined({ actor }) };
        const result = await putInForce(config, document, adopted);
        if (result.kind === "configured") fileConfig = config;
        return result;
      }),
    start: turns.start,
    wake: turns.wake,
    stop: turns.stop,
  };
}

interface Turns {
  readonly start: () => void;
  /** Starts a turn now, or right after the one under way. */
  readonly wake: () => void;
  /** Runs work while no turn is under way. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly stop: () => void;
}

/** A turn begins `everyMs` after the end of the one before, or at `wake`. */
function createTurns(clock: Pick<Clock, "after">, everyMs: number, turn: () => Promise<void>): Turns {
  let lastWork: Promise<unknown> = Promise.resolve();
  let cancel = (): void => undefined;
  let isOn = false;

  function between<T>(work: () => Promise<T>): Promise<T> {
    const result = lastWork.then(work, work);
    lastWork = result.catch(nothing);
    return result;
  }

  function plan(delayMs: number): void {
    cancel();
    if (isOn) cancel = clock.after(delayMs, () => void run());
  }

  async function run(): Promise<void> {
    await between(async () => {
      if (isOn) await turn();
    }).catch(nothing);
    plan(everyMs);
  }

  return {
    between,
    start: () => {
      isOn = true;
      plan(everyMs);
    },
    wake: () => plan(0),
    stop: () => {
      isOn = false;
      cancel();
    },
  };
}

function nothing(): void {
  // The relay reports a store that fails; the next turn asks it again.
}

/** Undefined if it is no object: another program than a server has put it. */
export function parseDocument(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A revision as messages name it. */
export function namedRevision(revision: number): string {
  return `revision ${String(revision)} of the settings in the store`;
}
