// A page with a library in it, a Postrider server as a process, and a receiver; and the check for all libraries: each
// call arrives once, signed, under its messageId, and no other host got a request. Needs `tsc -b` first.

import { verifySignature } from "@postrider/core";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { SECRET } from "../../canary.js";
import { createReceiver, type Receiver } from "../../end-to-end/receiver.js";
import { createScene, destination, stats } from "../../end-to-end/scene.js";
import { serve, type ServerProcess } from "../../end-to-end/server-process.js";
import { type Asked, type OpenPage, openPage } from "./open-page.js";
import type { CallMade } from "./programs/call-made.js";

export interface Rig {
  readonly page: OpenPage;
  readonly server: ServerProcess;
  readonly receiver: Receiver;
  /** The requests of the page to our server, sorted by path. */
  askedOfServer(): readonly Omit<Asked, "origin">[];
}

export async function startRig(browser: Browser, program: string): Promise<Rig> {
  const receiver = await createReceiver(200);
  const server = await serve(createScene([destination([receiver.url], { sharedSecret: SECRET })]).config);
  const page = await openPage(browser, program);
  const askedOfServer: Rig["askedOfServer"] = () =>
    page.asked
      .filter(({ origin }) => origin === server.url)
      .map(({ origin: _, ...asked }) => asked)
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { page, server, receiver, askedOfServer };
}

/** Waits for the calls to arrive; answers the messages, in the order of the calls. */
export async function expectArrived(
  { page, server, receiver }: Rig,
  made: readonly CallMade[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await receiver.count(made.length);
  const settled = { accepted: made.length, delivered: made.length, waiting: 0, claimed: 0, dead: 0, filtered: 0 };
  await expect.poll(() => stats(server.url)).toMatchObject(settled);
  const messages = receiver.requests.map(({ message }) => message);
  const namesOf = (calls: readonly object[]): readonly string[] =>
    calls.map((call) => ("type" in call && "messageId" in call ? `${call.type} ${call.messageId}` : "")).toSorted();
  expect(namesOf(messages)).toEqual(namesOf(made));
  for (const { body, headers } of receiver.requests) {
    expect(verifySignature(SECRET, body, String(headers["x-signature"]))).toBe(true);
  }
  expect(page.asked.filter(({ origin }) => origin !== page.site && origin !== server.url)).toEqual([]);
  expect(page.errors).toEqual([]);
  return made.map(({ messageId }) => messages.find((message) => message["messageId"] === messageId) ?? {});
}
