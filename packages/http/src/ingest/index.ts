// The public entry of http/ingest. It re-exports the parts of http that a host needs to mount ingest beside its own
// handlers, so that a host needs only one import (decision: http kit).

export { createIngest, type IngestOptions } from "./create-ingest.js";
export {
  type Answer,
  composeHandlers,
  createNodeListener,
  createWebHandler,
  unsupportedEncodingAnswer,
  errorAnswer,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  jsonAnswer,
  type ListenerOptions,
  MAX_REQUEST_BYTES,
  wrongMethodAnswer,
  type NodeListener,
  notFoundAnswer,
  overloadedAnswer,
  rateLimitedAnswer,
  readJson,
  type RequestBody,
  type RequestHead,
  type WebHandler,
  type WebHandlerOptions,
} from "../index.js";
