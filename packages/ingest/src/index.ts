// The public face of ingest.

export { createIngest, type IngestOptions } from "./create-ingest.js";
export type { IngestCode } from "./refuse.js";
export {
  type Answer,
  composeHandlers,
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
  type ListenerOptions,
  MAX_REQUEST_BYTES,
  methodAnswer,
  type Mount,
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
