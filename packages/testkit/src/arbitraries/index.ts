// Arbitraries for fast-check: values with which users of Postrider test their policies, stores, receivers and settings.
// Each is a function without state; each value is plain data that prints and shrinks well.

export { calls, checkedCalls, integrationObjects, rawCalls } from "./calls.js";
export { jsonObjects, jsonValues, nastyKeys, nastyNumbers } from "./nasty-json.js";
export { nastyStrings } from "./nasty-strings.js";
export {
  retryDraws,
  type FailedRound,
  MAX_PLAYED_ROUNDS,
  type Outage,
  type OutageOptions,
  outages,
  playOutage,
} from "./outages.js";
export { deliveryPolicies, retryPolicies } from "./policies.js";
export { type TroubledReceiver, troubledReceivers, type TroubledAnswers } from "./receivers.js";
export { replies, retryableReplies } from "./replies.js";
export { destinations, endpointUrls, secrets, staticHeaders, workspaces } from "./settings.js";
export { badTimestampTexts, instants, type TimestampText, timestampTexts } from "./timestamps.js";
