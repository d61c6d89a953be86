// Keeps the settings of a server those that the store keeps for all servers on it: asks every second for a revision above the one
// in force, and puts it in force by the slices of a reload. What this server cannot use is told, and changes nothing (decision:
// settings in the store). Relays learn of none of this but by `configure`.

import type { Config } from "@postrider/codec";
import type { Clock, JsonObject, SettingsRevision, SettingsStore } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import { type ConfigProblem, describeProblems } from "../../config/config-problem.js";
import { differencesFrom, documentReferences, readDocumentInSteps } from "../../config/read-document.js";
import type { References } from "../../config/read-expanded.js";
import { runInSlices } from "../../timing/run-in-slices.js";
import type { ConfigureResult, Reconfigurer } from "../reconfigure.js";
import { createTurns } from "./create-turns.js";
import { ADOPT_AGAIN_MS, FOLLOW_MS } from "./limits.js";
import { parseDocument, namedRevision } from "./parse-document.js";

/** The settings with which a server has started. */
export interface SettingsBegun {
  readonly settings: SettingsStore;
  /** 0 if the store had none. */
  readonly revision: number;
  readonly document: JsonObject;
}

/** A revision that this server cannot use, and why. */
export interface RefusedSettings {
  readonly revision: number;
  readonly problems: readonly ConfigProblem[];
}

export interface SettingsFollower {
  /** The revision in force; 0 if the store had none. */
  inForce(): number;
  /** The latest revision, if this server cannot use it. */
  refused(): RefusedSettings | undefined;
  /** Puts what a config file has of the server in force, with the settings of the store. */
  configure(config: Config): Promise<ConfigureResult>;
  start(): void;
  /** Looks for new settings now, and not only at the next turn. */
  wake(): void;
  stop(): void;
}

export interface FollowerOptions {
  readonly begun: SettingsBegun;
  /** The config of the start. */
  readonly config: Config;
  readonly reconfigurer: Pick<Reconfigurer, "inSlices">;
  readonly references: References;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createSettingsFollower(options: FollowerOptions): SettingsFollower {
  const { begun, reconfigurer, clock, logger } = options;
  const { settings } = begun;
  let machine = options.config;
  let known: Pick<SettingsBegun, "revision" | "document"> & { readonly actor?: string } = begun;
  let refused: (RefusedSettings & { readonly againAt: number }) | undefined;
  const turns = createTurns(clock, FOLLOW_MS, look);

  async function look(): Promise<void> {
    const isPut = refused !== undefined && clock.monotonic() < refused.againAt;
    const found = await settings.latest(isPut ? (refused?.revision ?? 0) : known.revision);
    if (found !== undefined) await adopt(found);
  }

  async function adopt({ revision, actor, document: text }: SettingsRevision): Promise<void> {
    const [document, adopted] = [parseDocument(text), { revision, ...defined({ actor }) }];
    const result = await putInForce(machine, document ?? null, adopted);
    if (result.kind === "refused") refuse(revision, result.problems);
    if (result.kind !== "configured") return;
    known = { ...adopted, document: document ?? {} };
    refused = undefined;
  }

  function refuse(revision: number, problems: readonly ConfigProblem[]): void {
    const isTold = refused?.revision === revision;
    refused = { revision, problems, againAt: clock.monotonic() + ADOPT_AGAIN_MS };
    if (isTold) return;
    const where = namedRevision(revision);
    for (const line of describeProblems(problems, where))
      logger.log("error", { code: "settings-refused", detail: `${where}: ${line}` });
  }

  async function putInForce(
    { server, written }: Config,
    document: unknown,
    adopted?: { readonly revision: number },
  ): Promise<ConfigureResult> {
    // By the names and keys of the config that is to come into force, which may have them first.
    const references = documentReferences(options.references, () => server);
    const read = await runInSlices(readDocumentInSteps(document, references), clock);
    if (read.kind === "refused") return read;
    return reconfigurer.inSlices({ server, workspace: read.value, ...defined({ written }) }, adopted);
  }

  return {
    inForce: () => known.revision,
    refused: () => refused,
    configure: (config) =>
      turns.between(async () => {
        const { revision, actor, document } = known;
        const where = namedRevision(revision);
        const isOwner = config.server.settings === "store";
        const problems = isOwner ? differencesFrom(document, config.written ?? {}, where) : [];
        if (problems.length > 0) return { kind: "refused", problems };
        const adopted = revision === 0 ? undefined : { revision, ...defined({ actor }) };
        const result = await putInForce(config, document, adopted);
        if (result.kind === "configured") machine = config;
        return result;
      }),
    start: turns.start,
    wake: turns.wake,
    stop: turns.stop,
  };
}
