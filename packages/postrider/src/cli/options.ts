// Parses the values of command line options: each function returns the value of a text, or throws with what was expected. Adds
// the option --config, with the error if there is no config file at its default path. A command decides which options it has.

import { DELIVERY_STATES, type JsonObject } from "@postrider/core";
import { formatTimestamp, parseTimestamp } from "@postrider/core/engine";
import { type Command, InvalidArgumentError, Option } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerLogLevel } from "../log/server-logger.js";
import { parseObject } from "./parse-object.js";

const DEFAULT_FILE = "./postrider.json";

/** Parses a port, 0 to 65535. */
export function parsePort(text: string): number {
  return wholeNumber(text, { from: 0, to: 65_535 });
}

/** Parses the megabytes of a recording, 1 to 4,096. */
export function parseMegabytes(text: string): number {
  return wholeNumber(text, { from: 1, to: 4_096 });
}

/** Parses a final HTTP status, 200 to 599. */
export function parseStatus(text: string): number {
  return wholeNumber(text, { from: 200, to: 599 });
}

/** Parses a duration in milliseconds, up to an hour. */
export function parseDelay(text: string): number {
  return wholeNumber(text, { from: 0, to: 3_600_000 });
}

/** Parses a limit of the rows of a list, 1 to 100,000. */
export function parseRowLimit(text: string): number {
  return wholeNumber(text, { from: 1, to: 100_000 });
}

/** Parses a limit of the calls of a list, 1 to 1,000: a server remembers no more. */
export function parseCallLimit(text: string): number {
  return wholeNumber(text, { from: 1, to: 1_000 });
}

/** Parses the URL of a server; slashes at its end are dropped. */
export function parseServerUrl(text: string): string {
  const isServer = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isServer) throw new InvalidArgumentError("Expected a URL such as http://127.0.0.1:8080.");
  return text.replace(/\/+$/, "");
}

/** Refuses an empty text, which a shell writes for a variable that is not set. */
export function parseFilledText(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError(
    "Expected a text that is not empty; if it comes from a variable, the variable is not set.",
  );
}

/** Appends a value to the earlier values of an option that may be given several times. */
export function appendValue(text: string, earlierValues: readonly string[] = []): readonly string[] {
  return [...earlierValues, text];
}

/** Parses a JSON object. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseObject(text);
  if (value === undefined) throw new InvalidArgumentError(`Expected a JSON object such as '{"plan":"pro"}'.`);
  return value;
}

/** Parses the level of the least important log lines that are written. */
export function parseLogLevel(text: string): ServerLogLevel {
  const level = text === "warn" ? "warning" : text;
  if (level === "debug" || level === "info" || level === "warning" || level === "error") return level;
  throw new InvalidArgumentError("Expected debug, info, warn or error.");
}

/** Parses an instant and returns it in the form that the API reads. */
export function parseInstant(text: string): string {
  const at = parseTimestamp(text);
  if (at === undefined) throw new InvalidArgumentError("Expected a time such as 2026-01-31T12:00:00Z.");
  return formatTimestamp(at);
}

/** Parses a state of deliveries, or several with commas between them. */
export function parseStates(text: string): string {
  const states: readonly string[] = DELIVERY_STATES;
  if (text.split(",").every((state) => states.includes(state))) return text;
  throw new InvalidArgumentError(`Expected ${DELIVERY_STATES.join(", ")}, or several of them with commas.`);
}

/** Parses a state in which deliveries can be replayed, or both with a comma. */
export function parseReplayedStates(text: string): string {
  if (/^(dead|delivered)(,(dead|delivered))?$/.test(text)) return text;
  throw new InvalidArgumentError("Expected dead, delivered, or both with a comma.");
}

/** Parses a status of HTTP, or a class of them such as 5xx. */
export function parseStatusFilter(text: string): string {
  if (/^[1-5](xx|\d\d)$/.test(text)) return text;
  throw new InvalidArgumentError("Expected a status such as 503, or a class such as 5xx.");
}

function wholeNumber(text: string, { from, to }: { readonly from: number; readonly to: number }): number {
  const value = Number(text);
  if (/^\d{1,7}$/.test(text) && value >= from && value <= to) return value;
  throw new InvalidArgumentError(`Expected a whole number from ${String(from)} to ${String(to)}.`);
}

/**
 * Adds `--config`. Without it, ./postrider.json is used. If that does not exist, the command ends with an error, unless
 * `createsFile` returns true.
 */
export function addConfigOption(command: Command, createsFile: () => boolean = () => false): Command {
  return command
    .addOption(new Option("--config <file>", "the config file").default(DEFAULT_FILE))
    .hook("preAction", () => {
      if (command.getOptionValueSource("config") !== "default" || existsSync(DEFAULT_FILE)) return;
      if (createsFile()) return;
      command.error(
        `error: there is no config file ${resolve(DEFAULT_FILE)}: run postrider init to write one, or name one with --config`,
      );
    });
}
