// The public face of ingest.

export type { Answer, Handler, IncomingRequest, RequestBody } from "./http/handler.js";
