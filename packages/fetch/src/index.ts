// The public entry of fetch: the HTTP port over a WHATWG fetch, and a list of the optional parts of the HTTP contract that
// it cannot support.

export { createFetchHttp, type FetchHttpOptions } from "./create-http.js";
export type { Fetch, FetchAnswer } from "./create-http.js";
export { FETCH_LIMITS } from "./supports.js";
