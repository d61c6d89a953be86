// The public face of ingest.

export { createIngest, type IngestOptions } from "./create-ingest.js";
export { composeHandlers, type Mount } from "./http/compose-handlers.js";
export type { Answer, Handler, IncomingHead, IncomingRequest, RequestBody, RequestHead } from "./http/handler.js";
export {
  encodingAnswer,
  type ErrorDetail,
  errorAnswer,
  jsonAnswer,
  methodAnswer,
  notFoundAnswer,
  overloadedAnswer,
} from "./http/json-answer.js";
export { networkOf } from "./http/network-of.js";
export {
  createNodeListener,
  type HeldByRequests,
  type ListenerOptions,
  type NodeListener,
} from "./http/node-listener.js";
export { createWebHandler, type WebHandler } from "./http/web-handler.js";
export { MAX_REQUEST_BYTES } from "./limits.js";
export { createKeyGuesses, type KeyGuesses } from "./key-guesses.js";
export { readJson, type ReadJson } from "./read-json.js";
export { type IngestCode, rateLimitedAnswer } from "./refuse.js";
