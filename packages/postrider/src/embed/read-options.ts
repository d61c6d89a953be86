// Splits the options of createPostrider into ports and settings, and checks both. All problems are reported at once. Opens
// nothing.

import type { Config } from "@postrider/relay/settings";
import type { Clock, DeliveryStore, HttpPort, OptionProblem } from "@postrider/core";
import { createOptionsError, isPlainObject } from "@postrider/core/engine";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import { readConfigValueInSteps } from "../config/read-config.js";
import { runInSlices } from "../timing/run-in-slices.js";
import type { TracingApi } from "@postrider/relay/metrics";
import type { PostriderOptions, PostriderSettings, RecordToFile, StoresToOpen } from "./postrider.js";

const environment = (name: string): string | undefined => process.env[name];

/** Throws an `OptionsError` if there are no options, as in a program without types. */
export function requireObject(options: unknown): void {
  if (isPlainObject(options)) return;
  throw createOptionsError("createPostrider", [{ path: "options", expected: "an object" }]);
}

/** The options that are no settings. */
const PORTS: ReadonlySet<string> = new Set([
  "audiences",
  "http",
  "clock",
  "random",
  "logger",
  "observe",
  "opentelemetry",
  "record",
  "basePath",
  "closeMs",
] satisfies readonly (keyof PostriderOptions)[]);

/** The settings among the options. `listen`, which a config file may have, has no effect here. */
function settingsOf(options: PostriderOptions): object {
  const isSetting = ([key, value]: readonly [string, unknown]): boolean =>
    !PORTS.has(key) && !(key === "store" && typeof value === "object");
  return Object.fromEntries(Object.entries(options).filter(isSetting));
}

/**
 * Reads the options of createPostrider. Throws an `OptionsError` with all problems of settings and ports. In slices, with
 * returns to the event loop.
 */
export async function prepareOptions(options: PostriderOptions, clock: Pick<Clock, "after">): Promise<PreparedConfig> {
  const config = await readSettings(
    "createPostrider",
    { settings: settingsOf(options), otherProblems: portProblems(options) },
    clock,
  );
  const prepared = await runInSlices(prepareConfig(config, options.http === undefined), clock);
  if (prepared.kind === "refused") throw createOptionsError("createPostrider", prepared.problems);
  return prepared;
}

interface SettingsToRead {
  readonly settings: object;
  /** Problems that were found beside the settings. */
  readonly otherProblems: readonly OptionProblem[];
}

/** Throws an `OptionsError` if a setting is wrong, or if there are other problems. */
export async function readSettings(
  functionName: "createPostrider" | "postrider.configure",
  { settings, otherProblems }: SettingsToRead,
  clock: Pick<Clock, "after">,
): Promise<Config> {
  const outcome = await runInSlices(readConfigValueInSteps(settings, process.cwd(), environment), clock);
  if (outcome.kind === "refused") throw createOptionsError(functionName, [...otherProblems, ...outcome.problems]);
  if (otherProblems.length > 0) throw createOptionsError(functionName, otherProblems);
  return outcome.config;
}

/** The problems of settings of the sender beside an HTTP port of the host, which they could not change. */
export function senderProblems(
  http: HttpPort | undefined,
  { network, senderThread }: Pick<PostriderSettings, "network" | "senderThread">,
): readonly OptionProblem[] {
  if (http === undefined) return [];
  return Object.entries({ network, senderThread }).flatMap(([path, value]) =>
    value === undefined ? [] : [{ path, expected: `no setting ${path} beside an HTTP port of the host` }],
  );
}

function portProblems(options: PostriderOptions): readonly OptionProblem[] {
  const { store, audiences, basePath, closeMs, record, opentelemetry } = options;
  const problems = [...senderProblems(options.http, options)];
  const check = (isValid: boolean, path: string, expected: string): void => {
    if (!isValid) problems.push({ path, expected });
  };
  check(missingIn(store).length === 0, "store", expectedStore(store));
  check(
    audiences === undefined || (typeof store === "object" && "commit" in store),
    "audiences",
    "an audience store only beside a delivery store",
  );
  check(options.settings !== "store", "settings", "file, or none: a host hands over its settings");
  check(isRecord(record), "record", "an object with a path, and megabytes from 1 to 4096 or none");
  check(isTracingApi(opentelemetry), "opentelemetry", "all of @opentelemetry/api: import * as opentelemetry");
  check(isBasePath(basePath), "basePath", "a path such as /segment, without a slash at its end");
  check(isDuration(closeMs), "closeMs", "a number of milliseconds, 0 or more");
  return problems;
}

const STORE_METHODS = [
  "commit",
  "claim",
  "lanes",
  "end",
  "pullIn",
  "find",
  "list",
  "seen",
  "counts",
  "sweep",
  "close",
] as const satisfies readonly (keyof DeliveryStore)[];

/** The methods that a store of the host lacks. */
function missingIn(store: PostriderOptions["store"] | null): readonly string[] {
  if (store === undefined || typeof store === "string") return [];
  if (typeof (store as Partial<StoresToOpen> | null)?.open === "function") return [];
  return STORE_METHODS.filter((name) => typeof (store as Partial<DeliveryStore> | null)?.[name] !== "function");
}

function expectedStore(store: PostriderOptions["store"]): string {
  const expected = "memory:, sqlite:PATH, the URL of a database, a delivery store, or stores to open";
  if ((store as unknown) instanceof Promise) return `${expected}, and not a promise of one: await it`;
  const missing = missingIn(store);
  return missing.length === STORE_METHODS.length ? expected : `${expected}; this one has no ${missing.join(", ")}`;
}

function isBasePath(path: string | undefined): boolean {
  return path === undefined || /^(?:\/[^/?#]+)*$/.test(path);
}

function isDuration(ms: number | undefined): boolean {
  return ms === undefined || (Number.isFinite(ms) && ms >= 0);
}

/** True for the whole package: a tracer, or `trace` alone, is not enough. */
function isTracingApi(api: PostriderOptions["opentelemetry"]): boolean {
  if (api === undefined) return true;
  const { trace, ROOT_CONTEXT } = Object(api) as Partial<TracingApi>;
  return typeof trace?.getTracer === "function" && ROOT_CONTEXT !== undefined;
}

function isRecord(record: PostriderOptions["record"]): boolean {
  if (record === undefined) return true;
  if (!isPlainObject(record)) return false;
  const { path, megabytes } = record as Partial<Record<keyof RecordToFile, unknown>>;
  const isSize = megabytes === undefined || isMegabytes(megabytes);
  return typeof path === "string" && path !== "" && isSize;
}

function isMegabytes(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 4_096;
}
