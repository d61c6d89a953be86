// The public entry of http: handlers, the listeners around them, and the bounds that both fronts share.

export { type ByteBudget, createByteBudget } from "./byte-budget.js";
export { composeHandlers, type Mount } from "./compose-handlers.js";
export type {
  Answer,
  AnswerStream,
  Handler,
  IncomingHead,
  IncomingRequest,
  RequestBody,
  RequestHead,
} from "./handler.js";
export { errorAnswer, type ErrorDetail, jsonAnswer, type TextAnswer } from "./json-answer.js";
export { createKeyGuessLimit, type KeyGuessLimit } from "./key-guesses.js";
export { MAX_REQUEST_BYTES, UNAVAILABLE_RETRY_AFTER_S } from "./limits.js";
export { networkOf } from "./network-of.js";
export { createNodeListener, type RequestUsage, type ListenerOptions, type NodeListener } from "./node-listener.js";
export { normalizePath } from "./plain-path.js";
export { decodeText, parseJson, readJson, type ReadJsonResult, readWholeBody } from "./read-json.js";
export {
  unsupportedEncodingAnswer,
  wrongMethodAnswer,
  notFoundAnswer,
  overloadedAnswer,
  rateLimitedAnswer,
  retryAfterSeconds,
} from "./refusals.js";
export { isSameSecret } from "./same-secret.js";
export { createWebHandler, type WebHandler, type WebHandlerOptions } from "./web-handler.js";
