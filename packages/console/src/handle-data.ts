// The requests of the page for data: checks the user, the origin, the rights of the person, and the number of streams that the person reads
// (decision: rights of callers); the API answers. Messages are left out unless a person asks for one. People who look at the same list
// share one answer, until one of them changes something.

import type { Clock, MonoMs } from "@postrider/core";
import {
  type Answer,
  type Handler,
  type IncomingRequest,
  type RequestHead,
  type AnswerStream,
  overloadedAnswer,
} from "@postrider/http";
import { type AskedOperation, askedOperation } from "@postrider/http/api";
import type { Authenticate, ConsoleUser } from "./access/console-user.js";
import { isOwnRead, isOwnWrite, foreignAnswer, refusedAnswer } from "./refused-answer.js";
import { MAX_STREAMS_PER_PERSON, MAX_SHARED, SHARED_MS } from "./limits.js";

/** The message of a delivery, which has a separate path here. */
const MESSAGE_PURPOSE: RequestPurpose = { id: undefined, isChange: false, isContent: true, isOpen: false };

const MESSAGE_PATH = /^(\/api\/deliveries\/[^/]+)\/message$/;

/** The paths that pages read again and again, and that cost the most. */
const SHARED_PATHS = new Set(["/api/deliveries", "/api/series"]);

/** An action of a person at the console: a change, or content of messages that was shown. */
export interface ConsoleAction {
  readonly user: ConsoleUser;
  readonly method: string;
  /** The path of the API, such as `/api/lanes/crm/pause`. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number;
  readonly remoteAddress?: string;
}

interface DataOptions {
  readonly api: Handler;
  readonly clock: Pick<Clock, "monotonic">;
  readonly authenticate: Authenticate;
  readonly canSeeBodies: (user: ConsoleUser) => boolean;
  readonly onAction: (action: ConsoleAction) => void;
}

/** Answers a request whose path is one of the API, or that of the message of a delivery. */
export function createDataHandler({ api, clock, authenticate, canSeeBodies, onAction }: DataOptions): Handler {
  const shared = createSharedReads(api, clock);
  const countStreams = createStreamCounter();
  return async (request) => {
    const isOwn = request.method === "GET" ? isOwnRead(request) : isOwnWrite(request);
    if (!isOwn) return foreignAnswer();
    const user = await authenticate(request);
    if (user === undefined) return refusedAnswer(401, "not-logged-in", "log in first");
    const delivery = deliveryOfMessage(request.path);
    const purpose = delivery === undefined ? purposeOf(request) : MESSAGE_PURPOSE;
    if (!mayAsk(user, purpose, canSeeBodies)) return forbiddenAnswer(user);
    const apiRequest = purpose.id === "putSettings" ? { ...request, query: actorQuery(user) } : request;
    const answer = await (delivery === undefined
      ? ask(apiRequest, user, purpose)
      : askForMessage(apiRequest, delivery));
    if (purpose.isChange) shared.forget();
    if (purpose.isContent || purpose.isChange) onAction(actionOf(user, request, answer));
    return answer;
  };

  async function ask(request: IncomingRequest, user: ConsoleUser, { id }: RequestPurpose): Promise<Answer> {
    const whole = countStreams(user, await shared.ask(request));
    const answer = canSeeBodies(user) ? whole : withoutExcerpts(whole);
    return id === "showDelivery" ? withoutMessage(answer) : answer;
  }

  async function askForMessage(request: IncomingRequest, path: string): Promise<Answer> {
    return onlyMessage(await api({ ...request, method: "GET", path, query: "" }));
  }
}

/** A change of the settings is stored with the name of its author, which the page cannot choose. */
function actorQuery({ name }: ConsoleUser): string {
  return `actor=${encodeURIComponent(name)}`;
}

function actionOf(user: ConsoleUser, request: IncomingRequest, { status }: Answer): ConsoleAction {
  const { method, path, remoteAddress } = request;
  return { user, method, path, status, ...(remoteAddress === undefined ? {} : { remoteAddress }) };
}

function forbiddenAnswer({ role }: ConsoleUser): Answer {
  return refusedAnswer(403, "forbidden", `the role ${role} may not do this`);
}

/** The purpose of a request. */
interface RequestPurpose {
  /** The operation of the API that it asks for; undefined if there is none. */
  readonly id: AskedOperation["id"] | undefined;
  /** True if it changes something. */
  readonly isChange: boolean;
  /** True if its answer is the content of messages. */
  readonly isContent: boolean;
  /** True if all users may ask for it. */
  readonly isOpen: boolean;
}

function purposeOf(head: RequestHead): RequestPurpose {
  const operation = askedOperation(head);
  const readBy = operation?.readBy;
  return {
    id: operation?.id,
    isChange: operation !== undefined && readBy === undefined,
    isContent: readBy === "content",
    isOpen: readBy === "viewer",
  };
}

/** True if a user may send a request of this purpose. */
function mayAsk(user: ConsoleUser, purpose: RequestPurpose, canSeeBodies: (user: ConsoleUser) => boolean): boolean {
  if (purpose.isContent) return canSeeBodies(user);
  return purpose.isOpen || user.role === "operator";
}

/** The path of the delivery whose message is asked for; undefined if the path is another. */
function deliveryOfMessage(path: string): string | undefined {
  return MESSAGE_PATH.exec(path)?.[1];
}

/** The answer about a delivery without its message; `hasMessage` says whether there is one. */
function withoutMessage(answer: Answer): Answer {
  return rewritten(answer, ({ message, ...delivery }) => ({
    ...delivery,
    message: null,
    hasMessage: message !== null,
  }));
}

/** The answer without the excerpts of receivers' answers, which may repeat a message. */
function withoutExcerpts(answer: Answer): Answer {
  if (typeof answer.body !== "string" || !answer.body.includes('"excerpt"')) return answer;
  return rewritten(
    answer,
    (record) => record,
    (key, value) => (key === "excerpt" ? null : value),
  );
}

/** The message alone. */
function onlyMessage(answer: Answer): Answer {
  return rewritten(answer, ({ message }) => ({ message }));
}

function rewritten(
  answer: Answer,
  change: (record: Readonly<Record<string, unknown>>) => object,
  revive?: (key: string, value: unknown) => unknown,
): Answer {
  if (answer.status !== 200 || typeof answer.body !== "string") return answer;
  // Safe cast: the API answers objects.
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body, revive) as Record<string, unknown>)) };
}

/** Counts the stream of an answer, if it has one, for the user while it is read. Answers 503 if the user reads too many streams. */
type CountStreams = (user: ConsoleUser, answer: Answer) => Answer;

function createStreamCounter(): CountStreams {
  const open = new Map<string, number>();

  function openOf(person: string): number {
    return open.get(person) ?? 0;
  }

  function add(person: string, change: 1 | -1): void {
    const remaining = openOf(person) + change;
    if (remaining === 0) open.delete(person);
    else open.set(person, remaining);
  }

  return ({ role, name }, answer) => {
    const { body } = answer;
    if (typeof body !== "function") return answer;
    const person = JSON.stringify([role, name]);
    const isFull = (): boolean => openOf(person) >= MAX_STREAMS_PER_PERSON;
    if (isFull()) return overloadedAnswer();
    const countedStream: AnswerStream = async function* (signal) {
      // Requests that came together have all passed the check above.
      if (isFull()) return;
      add(person, 1);
      try {
        yield* body(signal);
      } finally {
        add(person, -1);
      }
    };
    return { ...answer, body: countedStream };
  };
}

interface SharedAnswer {
  readonly at: MonoMs;
  readonly answer: Promise<Answer>;
}

interface SharedReads {
  readonly ask: Handler;
  /** Called after a change. */
  forget(): void;
}

function createSharedReads(api: Handler, clock: Pick<Clock, "monotonic">): SharedReads {
  const reads = new Map<string, SharedAnswer>();
  return {
    ask: (request) => {
      if (request.method !== "GET" || !SHARED_PATHS.has(request.path)) return api(request);
      const key = keyOf(request);
      const nowMs = clock.monotonic();
      const shared = reads.get(key);
      if (shared !== undefined && nowMs - shared.at < SHARED_MS) return shared.answer;
      const answer = api(request);
      reads.delete(key);
      reads.set(key, { at: nowMs, answer });
      const [oldest] = reads.keys();
      if (reads.size > MAX_SHARED && oldest !== undefined) reads.delete(oldest);
      return answer;
    },
    forget: () => reads.clear(),
  };
}

function keyOf({ path, query }: IncomingRequest): string {
  return `${path}?${query}`;
}
