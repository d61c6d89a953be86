// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/http/ingest` exports.

import type { Clock } from "@postrider/core";
import type { Relay, RelayEvent } from "@postrider/relay";

export { Answer } from "@postrider/http";

export { Handler } from "@postrider/http";

export { IncomingHead } from "@postrider/http";

export { IncomingRequest } from "@postrider/http";

export interface IngestOptions {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly timers?: Pick<Clock, "after">;
  readonly onUnknownKey?: () => void;
  readonly observe?: (event: RelayEvent) => void;
}

export { ListenerOptions } from "@postrider/http";

export { MAX_REQUEST_BYTES } from "@postrider/http";

export { NodeListener } from "@postrider/http";

export { RequestBody } from "@postrider/http";

export { RequestHead } from "@postrider/http";

export { WebHandler } from "@postrider/http";

export { WebHandlerOptions } from "@postrider/http";

export { composeHandlers } from "@postrider/http";

export declare function createIngest({ relay, clock, timers, onUnknownKey, observe }: IngestOptions): Handler;

export { createNodeListener } from "@postrider/http";

export { createWebHandler } from "@postrider/http";

export { errorAnswer } from "@postrider/http";

export { jsonAnswer } from "@postrider/http";

export { notFoundAnswer } from "@postrider/http";

export { overloadedAnswer } from "@postrider/http";

export { rateLimitedAnswer } from "@postrider/http";

export { readJson } from "@postrider/http";

export { unsupportedEncodingAnswer } from "@postrider/http";

export { wrongMethodAnswer } from "@postrider/http";

export {};
