// The public face of ingest.

export { createIngest, type IngestOptions } from "./create-ingest.js";
export type { IngestCode } from "./refuse.js";
export {
  type Answer,
  composeHandlers,
  createKeyGuesses,
  createNodeListener,
  createWebHandler,
  encodingAnswer,
  errorAnswer,
  type ErrorDetail,
  type Handler,
  type HeldByRequests,
  type IncomingHead,
  type IncomingRequest,
  jsonAnswer,
  type KeyGuesses,
  type ListenerOptions,
  MAX_REQUEST_BYTES,
  methodAnswer,
  type Mount,
  networkOf,
  type NodeListener,
  notFoundAnswer,
  overloadedAnswer,
  rateLimitedAnswer,
  type ReadJson,
  readJson,
  type RequestBody,
  type RequestHead,
  type WebHandler,
} from "./mounting.js";
