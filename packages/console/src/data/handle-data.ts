// The requests of the page for data: checked for who asks and from where, then answered by the API. Must not know how people log in.

import type { Clock } from "@postrider/core";
import type { Answer, Handler, IncomingRequest } from "@postrider/http";
import type { Authenticate, ConsoleUser } from "../access/console-user.js";
import { isOwnRead, isOwnWrite } from "../access/same-origin.js";
import { foreignAnswer, refusedAnswer } from "../refused-answer.js";
import { deliveryOfMessage, onlyMessage, withoutExcerpts, withoutMessage } from "./message-of-delivery.js";
import { mayAsk, type AskedFor, ASKED_MESSAGE, askedForOf } from "./permissions.js";
import { createPersonStreams } from "./person-streams.js";
import { createSharedReads } from "./shared-reads.js";

/** What a person at the console did: a change, or content of messages that was shown. */
export interface ConsoleAction {
  readonly user: ConsoleUser;
  readonly method: string;
  /** The path of the API, such as `/api/lanes/crm/pause`. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number;
  readonly remoteAddress?: string;
}

export interface DataOptions {
  readonly api: Handler;
  readonly clock: Pick<Clock, "monotonic">;
  readonly authenticate: Authenticate;
  readonly canSeeBodies: (user: ConsoleUser) => boolean;
  readonly onAction: (action: ConsoleAction) => void;
}

/** Answers a request whose path is one of the API, or that of the message of a delivery. */
export function createDataHandler({ api, clock, authenticate, canSeeBodies, onAction }: DataOptions): Handler {
  const shared = createSharedReads(api, clock);
  const countStreams = createPersonStreams();
  return async (request) => {
    const isOwn = request.method === "GET" ? isOwnRead(request) : isOwnWrite(request);
    if (!isOwn) return foreignAnswer();
    const user = await authenticate(request);
    if (user === undefined) return refusedAnswer(401, "not-logged-in", "log in first");
    const delivery = deliveryOfMessage(request.path);
    const wanted = delivery === undefined ? askedForOf(request) : ASKED_MESSAGE;
    if (!mayAsk(user, wanted, canSeeBodies)) return forbiddenAnswer(user);
    const asked = wanted.id === "putSettings" ? { ...request, query: actorQuery(user) } : request;
    const answer = await (delivery === undefined ? ask(asked, user, wanted) : askForMessage(asked, delivery));
    if (wanted.isChange) shared.forget();
    if (wanted.isContent || wanted.isChange) onAction(actionOf(user, request, answer));
    return answer;
  };

  async function ask(request: IncomingRequest, user: ConsoleUser, { id }: AskedFor): Promise<Answer> {
    const whole = countStreams(user, await shared.ask(request));
    const answer = canSeeBodies(user) ? whole : withoutExcerpts(whole);
    return id === "showDelivery" ? withoutMessage(answer) : answer;
  }

  async function askForMessage(request: IncomingRequest, path: string): Promise<Answer> {
    return onlyMessage(await api({ ...request, method: "GET", path, query: "" }));
  }
}

/** A change of the settings is kept with the name of who made it, which the page cannot choose. */
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
