// Makes the OpenAPI 3.1 document of the API of its routes, so that a route that answers is a route that is documented (decision:
// one contract). Decides the frame of the document; describe-operation.ts writes each route.

import { collectComponents } from "./collect-components.js";
import { describeOperation } from "./describe-operation.js";
import { ERROR, sharedResponses } from "./describe-refusals.js";
import type { JsonSchema } from "./json-schema.js";
import type { DescribedRoute } from "./operation.js";
import { API_VERSION } from "./versions.js";

/** An OpenAPI document. */
export interface OpenapiDocument {
  readonly openapi: "3.1.0";
  readonly info: object;
  readonly security: readonly object[];
  /** The operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: object;
  };
}

const DESCRIPTION = [
  "The API of a Postrider server, for its operator. A host that embeds Postrider may serve it below another path.",
  "Within a version of this API things are added and never taken away: an answer may get further keys, and a list of words",
  "further words, so that a client has to ignore what it does not know.",
  "A query, and a body, with a name that is not listed here is refused. In a body, null counts as left out.",
  "Another method of a path is answered 405, another path 404, both with an Error.",
  "Instants are ISO 8601 in UTC with milliseconds, durations are in milliseconds, ids are opaque.",
].join(" ");

/** The document of these routes. It is the same each time. */
export function openapiOf(routes: readonly DescribedRoute[]): OpenapiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[route.template] = { ...paths[route.template], [route.method.toLowerCase()]: describeOperation(route) };
  const operations = routes.map(({ operation }) => operation);
  const { value, schemas } = collectComponents({ paths, responses: sharedResponses(operations), error: ERROR });
  return {
    openapi: "3.1.0",
    info: {
      title: "Postrider",
      version: String(API_VERSION),
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ apiToken: [] }],
    paths: value.paths,
    components: {
      schemas,
      responses: value.responses,
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer", description: "The `apiToken` of the config." },
      },
    },
  };
}
