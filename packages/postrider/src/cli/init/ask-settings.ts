// Asks on a terminal for the settings of a first config that no option says. An empty answer takes what is offered.

import { readEndpointUrl } from "@postrider/core";
import type { Host } from "../host.js";

/** The settings that are asked for. */
export interface AskedSettings {
  readonly url: string;
  readonly destination: string;
  readonly source: string;
  readonly port: number;
}

/** What is offered, and what is used where nothing is asked. */
export const OFFERED: AskedSettings = {
  url: "http://127.0.0.1:9000/hook",
  destination: "receiver",
  source: "website",
  port: 8080,
};

export const WANTED_URL =
  "a full http or https URL without user, password and fragment, such as https://example.com/hook";

interface Question<Value> {
  readonly text: string;
  readonly offered: Value;
  /** Undefined for an answer that cannot be used; then `wanted` is told. */
  readonly read: (answer: string) => Value | undefined;
  readonly wanted: string;
}

const URL_QUESTION: Question<string> = {
  text: "Where to deliver?",
  offered: OFFERED.url,
  read: (answer) => (isEndpoint(answer) ? answer : undefined),
  wanted: WANTED_URL,
};
const PORT_QUESTION: Question<number> = {
  text: "The port of the server?",
  offered: OFFERED.port,
  read: (answer) => (/^\d{1,5}$/.test(answer) && Number(answer) <= 65_535 ? Number(answer) : undefined),
  wanted: `a whole number from 0 to 65535, such as ${String(OFFERED.port)}`,
};

/** How often a question is asked until it has an answer that can be used. */
const MAX_ASKS = 3;

/** Undefined if the input has ended, or if no answer to a question could be used. */
export async function askSettings(host: Host, given: Partial<AskedSettings>): Promise<AskedSettings | undefined> {
  const url = given.url ?? (await askUntil(host, URL_QUESTION));
  if (url === undefined) return undefined;
  const destination = given.destination ?? (await askUntil(host, idQuestion("destination")));
  if (destination === undefined) return undefined;
  const source = given.source ?? (await askUntil(host, idQuestion("source")));
  if (source === undefined) return undefined;
  const port = given.port ?? (await askUntil(host, PORT_QUESTION));
  return port === undefined ? undefined : { url, destination, source, port };
}

export function isEndpoint(text: string): boolean {
  return readEndpointUrl(text).kind === "ok";
}

/** Any text is an id. */
function idQuestion(of: "destination" | "source"): Question<string> {
  return { text: `The id of the ${of}?`, offered: OFFERED[of], read: (answer) => answer, wanted: "an id" };
}

async function askUntil<Value extends string | number>(
  host: Host,
  { text, offered, read, wanted }: Question<Value>,
): Promise<Value | undefined> {
  for (let asked = 0; asked < MAX_ASKS; asked += 1) {
    const answer = (await host.ask?.(`${text} [${String(offered)}] `))?.trim();
    if (answer === undefined) return undefined;
    const value = answer === "" ? offered : read(answer);
    if (value !== undefined) return value;
    host.err(`expected ${wanted}`);
  }
  return undefined;
}
