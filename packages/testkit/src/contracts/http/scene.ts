// The scene of a case of the HTTP contract. It closes all that it opens, and counts what the adapter was asked to send:
// a receiver must get one request for each, and no more, in every case.

import { type Clock, type EndpointId, type HttpRequest, type Reply, MAX_EXCERPT_BYTES } from "@postrider/core";
import type { Socket } from "node:net";
import { expectThat } from "../check.js";
import { createHarnessError } from "../contract-case.js";
import { type Authority, createAuthority, type TlsIdentity } from "./certificates.js";
import type { HttpAdapterOptions, HttpHarness, HttpAbility, HttpSupport, TestedHttp } from "./harness.js";
import {
  type AnswerRequest,
  type RawManner,
  startRawReceiver,
  type Receiver,
  startHttpReceiver,
  type ReceiverManner,
} from "./receiver.js";

/** A promise and its test. If the adapter does not support all that the case needs, the case is skipped. */
export interface HttpCase {
  readonly name: string;
  readonly needs?: readonly HttpAbility[];
  play(scene: HttpScene): Promise<void>;
}

export interface HttpScene {
  readonly clock: Clock;
  readonly supports: HttpSupport;
  /** The adapter under test; by default it may reach this machine and trusts only public authorities. */
  open(options?: Partial<HttpAdapterOptions>): TestedHttp;
  /** Sends one request with a new adapter. */
  send(url: EndpointId, request?: Partial<HttpRequest>): Promise<Reply>;
  serve(answer: AnswerRequest, manner?: ReceiverManner): Promise<Receiver>;
  listen(greet: (socket: Socket) => void, identity?: TlsIdentity): Promise<Receiver>;
  /** A receiver that writes bytes by hand in answer to requests. */
  converse(manner: RawManner): Promise<Receiver>;
  /** A test authority. An adapter trusts it only if the case passes the authority's certificate to `open`. */
  readonly authority: Authority;
  wait(delayMs: number): Promise<void>;
  /** Waits until data that is on its way in this process has arrived, also on a busy machine. */
  settle(): Promise<void>;
  /** Resolves with the result of `work`; rejects if the result came late by the clock of this process. */
  onTime<T>(work: Promise<T>, withinMs: number): Promise<T>;
  /** Resolves as soon as `holds` returns true; rejects after `withinMs`. */
  until(holds: () => boolean, withinMs: number, what: string): Promise<void>;
  /** Rejects if a receiver got one request more or less than were sent to it. */
  expectCounts(): Promise<void>;
  close(): Promise<void>;
}

/** The timeout in cases that do not measure time: more than the busiest machine needs. */
export const AMPLE_TIMEOUT_MS = 100_000;

/** Anything that must happen before the ample timeout has this long. */
export const BEFORE_TIMEOUT_MS: number = 0.9 * AMPLE_TIMEOUT_MS;

/** The timeout in cases that measure it. */
export const SHORT_TIMEOUT_MS = 300;

/** The timeout in cases in which data must arrive before the timeout. */
export const MIDDLE_TIMEOUT_MS = 3_000;

/** A result may be this late, since another thread that sends may have to wait for its turn. */
const LATE_MS = 1_000;

/** It may be later still, by this many timers of 1 ms: a pause of this process delays both them and the result. */
const LATE_TICKS = 10;

/** The number of timers of 1 ms that `settle` waits for. In the turn of each, data that has arrived is read. */
const SETTLING_TURNS = 20;

/** The same before the requests of a case are counted: an unwanted request needs a dial and a few turns. */
const COUNTING_TURNS = 8;

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

const BODY = new TextEncoder().encode('{"type":"track"}');

/** Sets the scene for one case. */
export function setHttpScene(harness: HttpHarness): HttpScene {
  const clock = harness.clock();
  const closers: (() => Promise<void>)[] = [];
  const receivers: Receiver[] = [];
  let authority: Authority | undefined;
  const log: SendLog = createSendLog(clock);

  const scene: HttpScene = {
    clock,
    supports: harness.supports,
    open(options) {
      const http = harness.create({ clock, ca: [], allow: LOOPBACK, ...options });
      closers.push(async () => http.close?.());
      if (harness.supports.close === true && http.close === undefined)
        throw createHarnessError("close", "adapter", "close");
      return log.watch(http);
    },
    send: (url, request) => scene.open().send(requestTo(url, request)),
    serve: (answer, manner) => register(startHttpReceiver(answer, manner)),
    listen: (greet, identity) => register(startRawReceiver({ greet }, identity)),
    converse: (manner) => register(startRawReceiver(manner)),
    // Made when it is asked for, since its keys take time.
    get authority() {
      authority ??= createAuthority();
      return authority;
    },
    wait: (delayMs) =>
      new Promise((resolve) => {
        const cancel = clock.after(delayMs, resolve);
        closers.push(() => {
          cancel();
          return Promise.resolve();
        });
      }),
    settle: async () => {
      for (let turn = 0; turn < SETTLING_TURNS; turn += 1) await waitFor(clock, 1);
    },
    onTime: (work, withinMs) => expectOnTime(clock, work, withinMs),
    until: (holds, withinMs, what) => waitUntil(clock, { holds, withinMs, what }),
    async expectCounts() {
      for (let turn = 0; turn < COUNTING_TURNS; turn += 1) await waitFor(clock, 1);
      for (const receiver of receivers) log.expectCounts(receiver, harness.supports.ownConnections === true);
    },
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
  return scene;

  async function register(opening: Promise<Receiver>): Promise<Receiver> {
    const receiver = await opening;
    closers.push(() => receiver.close());
    receivers.push(receiver);
    return receiver;
  }
}

/** A request with all required fields. */
export function requestTo(url: EndpointId, request: Partial<HttpRequest> = {}): HttpRequest {
  const headers = [["Content-Type", "application/json"]] as const;
  return { url, headers, body: BODY, timeoutMs: AMPLE_TIMEOUT_MS, ...request };
}

/** Expects an answer, and returns it. */
export function expectAnswer(reply: Reply): Extract<Reply, { kind: "answered" }> {
  expectThat(reply.kind === "answered", `expected an answer, but got silence: ${JSON.stringify(reply)}`);
  return reply;
}

/** Expects silence, and returns it. */
export function expectSilence(reply: Reply): Extract<Reply, { kind: "silent" }> {
  expectThat(reply.kind === "silent", `expected silence, but got an answer: ${JSON.stringify(reply)}`);
  return reply;
}

async function expectOnTime<T>(clock: Clock, work: Promise<T>, withinMs: number): Promise<T> {
  let ticks = 0;
  let cancel = clock.after(withinMs + LATE_MS, tick);
  function tick(): void {
    ticks += 1;
    if (ticks <= LATE_TICKS) cancel = clock.after(1, tick);
  }
  const result = await work.finally(() => cancel());
  expectThat(ticks <= LATE_TICKS, `it took far longer than ${String(withinMs)} ms`);
  return result;
}

function waitFor(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

interface Condition {
  readonly holds: () => boolean;
  readonly withinMs: number;
  readonly what: string;
}

async function waitUntil(clock: Clock, { holds, withinMs, what }: Condition): Promise<void> {
  const deadline = clock.monotonic() + withinMs;
  while (!holds()) {
    expectThat(clock.monotonic() < deadline, `${what}: not within ${String(withinMs)} ms`);
    await waitFor(clock, 5);
  }
}

interface SendLog {
  /** The same adapter, watched. */
  watch(http: TestedHttp): TestedHttp;
  /** Throws if a receiver got more requests than were sent to its port, or fewer than were answered. */
  expectCounts(receiver: Receiver, countsConnections: boolean): void;
}

interface SendCounts {
  sent: number;
  answered: number;
}

function createSendLog(clock: Clock): SendLog {
  const countsByPort = new Map<number, SendCounts>();
  return {
    watch: (http) => ({
      send: (request) => sendWatched(http, request),
      close: async () => http.close?.(),
    }),
    expectCounts(receiver, countsConnections) {
      const { sent, answered } = countsOf(receiver.port);
      const [begun, connectionCount] = [receiver.requestsBegun(), receiver.connections()];
      expectThat(begun <= sent, `${String(begun)} requests came, but only ${String(sent)} were to be sent`);
      expectThat(begun >= answered, `${String(answered)} requests were answered, but only ${String(begun)} came`);
      expectThat(
        !countsConnections || connectionCount <= sent,
        `${String(connectionCount)} connections came, but only ${String(sent)} requests were to be sent`,
      );
    },
  };

  function countsOf(port: number): SendCounts {
    const counts = countsByPort.get(port) ?? { sent: 0, answered: 0 };
    countsByPort.set(port, counts);
    return counts;
  }

  async function sendWatched(http: TestedHttp, request: HttpRequest): Promise<Reply> {
    const counts = countsOf(Number(new URL(request.url).port));
    counts.sent += 1;
    const startedAt = clock.monotonic();
    const reply = await http.send(request);
    if (reply.kind === "answered") counts.answered += 1;
    expectWellFormed(reply, clock.monotonic() - startedAt);
    return reply;
  }
}

/** A clock in whole milliseconds may round both ends. */
const ROUNDING_MS = 1;

function expectWellFormed(reply: Reply, tookMs: number): void {
  const { afterMs } = reply;
  const isPossible = afterMs >= 0 && afterMs <= tookMs + ROUNDING_MS;
  expectThat(isPossible, `afterMs is ${String(afterMs)}, but the request took ${String(tookMs)} ms`);
  if (reply.kind === "silent") return;
  const { status, excerpt } = reply;
  expectThat(Number.isInteger(status) && status >= 200 && status <= 599, `the status is ${String(status)}`);
  const limit = status <= 299 ? 0 : MAX_EXCERPT_BYTES;
  expectThat(excerpt.length <= limit, `the excerpt has ${String(excerpt.length)} bytes of at most ${String(limit)}`);
}
