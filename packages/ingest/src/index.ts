// The public face of ingest.

export { createIngest, type IngestOptions } from "./create-ingest.js";
export { composeHandlers, type Mount } from "./http/compose-handlers.js";
export type { Answer, Handler, IncomingRequest, RequestBody, RequestHead } from "./http/handler.js";
export {
  encodingAnswer,
  type ErrorDetail,
  errorAnswer,
  jsonAnswer,
  methodAnswer,
  notFoundAnswer,
  overloadedAnswer,
} from "./http/json-answer.js";
export { createNodeListener, type ListenerOptions, type NodeListener } from "./http/node-listener.js";
export type { HeldByRequests } from "./http/request-shares.js";
export { createWebHandler, type WebHandler } from "./http/web-handler.js";
export { readJson, type ReadJson } from "./read-json.js";
export type { IngestCode } from "./refuse.js";
