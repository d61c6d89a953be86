// The public face of fetch: the HTTP port wherever there is a WHATWG fetch, and what it cannot promise there.

export { createFetchHttp, type FetchHttpOptions } from "./create-http.js";
export type { BodyReader, Fetch, FetchAnswer } from "./fetch-shape.js";
export { FETCH_SUPPORTS } from "./supports.js";
