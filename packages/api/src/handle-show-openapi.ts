// GET /api/openapi.json: the OpenAPI document of this API, made of the table of routes. It is the same at every server of one
// version, and the one that is published as docs/openapi.json.

import { type Answer, jsonAnswer } from "@postrider/http";
import { anyObjectSchema } from "./contract/json-schema.js";
import { openapiOf } from "./contract/openapi.js";
import type { DescribedRoute, ApiOperation } from "./contract/operation.js";

export const SHOW_OPENAPI: ApiOperation = {
  id: "showOpenapi",
  summary: "Shows this document.",
  readBy: "viewer",
  answer: { status: 200, description: "this API as OpenAPI 3.1", schema: anyObjectSchema() },
  refusals: [],
};

/** Answers the document of these routes. */
export function handleShowOpenapi(routes: readonly DescribedRoute[]): Answer {
  return jsonAnswer(200, openapiOf(routes));
}
