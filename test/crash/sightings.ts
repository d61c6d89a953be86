// The records of receivers: one receiver with a path for each destination, which records the times and the bytes of the
// requests of every unit (a message for a destination). The steady destination accepts all messages; the flaky one refuses
// each message once, so that every message also has a settlement that reschedules it.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type DestinationJson, destination } from "../end-to-end/scene.js";
import { close, listen } from "../loopback.js";

export const DESTINATIONS = ["steady", "flaky"] as const;

/** The requests that a unit needs without faults. */
const REQUESTS_NEEDED: Readonly<Record<string, number>> = { steady: 1, flaky: 2 };

export interface Sighting {
  /** When each request arrived, by `performance.now()` of this process. */
  readonly times: readonly number[];
  /** The body of the first request. */
  readonly body: Buffer;
  /** Whether all requests had the same bytes. */
  readonly isConstant: boolean;
}

export type Sightings = ReadonlyMap<string, Sighting>;

export interface Receivers {
  readonly destinations: readonly DestinationJson[];
  /** By `unitOf`. */
  readonly sightings: Sightings;
  /** Whether each of these messages has arrived as often as needed. */
  haveAll(messageIds: Iterable<string>): boolean;
  close(): Promise<void>;
}

/** Called at each request, with the number of requests of its unit so far. The function must call `answer`. */
export type OnRequest = (unit: string, nth: number, answer: () => void) => void;

/** The name of a delivery in the records of a test. */
export function unitOf(destinationId: string, messageId: string): string {
  return `${destinationId}/${messageId}`;
}

/** Starts them; they are closed after the test, if not before. */
export async function createReceivers(onRequest: OnRequest = (_unit, _nth, answer) => answer()): Promise<Receivers> {
  const sightings = new Map<string, Sighting>();
  const see = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const name = request.url!.slice(1);
    const { messageId } = JSON.parse(body.toString()) as { messageId: string };
    const unit = unitOf(name, messageId);
    const before = sightings.get(unit);
    const times = [...(before?.times ?? []), performance.now()];
    const isConstant = before === undefined || (before.isConstant && before.body.equals(body));
    sightings.set(unit, { times, body: before?.body ?? body, isConstant });
    const status = times.length < REQUESTS_NEEDED[name]! ? 503 : 200;
    onRequest(unit, times.length, () => void response.writeHead(status).end());
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => see(request, Buffer.concat(chunks), response));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => close(server));
  const hasCome = (name: string, messageId: string): boolean =>
    (sightings.get(unitOf(name, messageId))?.times.length ?? 0) >= REQUESTS_NEEDED[name]!;
  return {
    destinations: DESTINATIONS.map((id) => destination([`${url}/${id}`], { id })),
    sightings,
    haveAll: (messageIds) => [...messageIds].every((id) => DESTINATIONS.every((name) => hasCome(name, id))),
    close: () => close(server),
  };
}
