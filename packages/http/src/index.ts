// The public entry of http: handlers, the listeners around them, and the bounds that both fronts share.

export { type ByteBudget, createByteBudget } from "./budgets.js";
export { composeHandlers } from "./mounts.js";
export type {
  Answer,
  AnswerStream,
  Handler,
  IncomingHead,
  IncomingRequest,
  RequestBody,
  RequestHead,
} from "./handler.js";
export { errorAnswer, jsonAnswer, type TextAnswer } from "./answers.js";
export { createKeyGuessLimit, type KeyGuessLimit } from "./callers.js";
export { MAX_REQUEST_BYTES, UNAVAILABLE_RETRY_AFTER_S } from "./limits.js";
export { networkOf } from "./budgets.js";
export { createNodeListener, type ListenerOptions, type NodeListener } from "./node-listener.js";
export { normalizePath } from "./mounts.js";
export { decodeText, parseJson, readJson, type ReadJsonResult, readWholeBody } from "./read-json.js";
export {
  unsupportedEncodingAnswer,
  wrongMethodAnswer,
  notFoundAnswer,
  overloadedAnswer,
  rateLimitedAnswer,
  retryAfterSeconds,
} from "./answers.js";
export { isSameSecret } from "./callers.js";
export { createWebHandler, type WebHandler, type WebHandlerOptions } from "./web-handler.js";
