// The public entry of fetch: the HTTP port over a WHATWG fetch, and the list of the parts that it cannot support.

export { createFetchHttp, type FetchHttpOptions } from "./create-http.js";
export type { BodyReader, Fetch, FetchAnswer } from "./fetch-shape.js";
export { FETCH_LIMITS } from "./supports.js";
