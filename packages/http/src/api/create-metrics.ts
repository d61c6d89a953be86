// GET /metrics: the metrics for a collector. It has a separate token, so that a collector needs no access to the API.

import type { Clock, Secret } from "@postrider/core";
import { type Answer, type Handler, type IncomingRequest, notFoundAnswer, wrongMethodAnswer } from "../index.js";
import { createTokenGate } from "./admit.js";

/** The options of `createMetrics`. */
export interface MetricsOptions {
  /** The token that collectors have to show. Without a token, nothing is shown. If it is a function, it is called for each request. */
  readonly token?: Secret | (() => Secret | undefined);
  /** Writes the metrics as they are now. `accept` is the header of that name, so that it can choose a format. */
  readonly render: (accept: string | undefined) => RenderedMetrics | Promise<RenderedMetrics>;
  /** Slows down addresses that show wrong tokens. Without a clock, no address is slowed down. */
  readonly clock?: Pick<Clock, "monotonic">;
  /** Called for each request that shows no token or a wrong one, while `token` is set. */
  readonly onWrongToken?: () => void;
}

/** The body of the answer and its type: `exposeMetrics` of `@postrider/relay/metrics` makes it. */
interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** The only path of the handler. */
const PATH = "/metrics";

/** Creates the handler of `/metrics`. */
export function createMetrics({ token, render, clock, onWrongToken }: MetricsOptions): Handler {
  const { refusalOf, knows } = createTokenGate({ token, clock, onWrongToken, part: "metrics" });
  const handle = async (request: IncomingRequest): Promise<Answer> => {
    if (request.path !== PATH) return notFoundAnswer();
    if (request.method !== "GET") return wrongMethodAnswer(["GET"]);
    return refusalOf(request) ?? metricsAnswer(await render(request.headers.get("accept")));
  };
  return Object.assign(handle, { knows });
}

function metricsAnswer({ contentType, body }: RenderedMetrics): Answer {
  const headers = [
    ["Content-Type", contentType],
    ["Cache-Control", "no-store"],
    ["Vary", "Accept"],
  ] as const;
  return { status: 200, headers, body };
}
