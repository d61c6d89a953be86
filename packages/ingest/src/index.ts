// The public face of ingest, with what a host needs of the HTTP kit to mount it and handlers of its own beside it: handed on
// as it is, so that a host installs one package (decision: http kit).

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
} from "@postrider/http";
