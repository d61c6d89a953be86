// The public entry of ingest. It re-exports the parts of http that a host needs to mount ingest beside its own handlers, so
// that a host installs one package (decision: http kit).

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
  type WebHandlerOptions,
} from "@postrider/http";
