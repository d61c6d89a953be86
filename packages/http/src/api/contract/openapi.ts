// Makes the OpenAPI 3.1 document of the API from its table of routes, so that a route that answers is a route that is
// documented (decision: one contract). Each schema with a title becomes a component of the document.

import { isPlainObject } from "@postrider/core/engine";
import { ERROR, sharedResponses, describeRefusals } from "./refusals.js";
import { type JsonSchema, textSchema } from "./json-schema.js";
import {
  type DescribedRoute,
  type JsonBody,
  type ApiOperation,
  type QueryShape,
  type StreamedBody,
  type SuccessAnswer,
  API_VERSION,
} from "./operation.js";

const JSON_TYPE = "application/json";

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

/** The operation of a route. */
export function describeOperation({ template, operation }: DescribedRoute): object {
  const { id, summary, query, headers = {}, body, answer, otherAnswers = [], isOpen } = operation;
  const parameters = [
    ...pathParameters(template),
    ...queryParameters(query),
    ...headerParameters({ ...headers, ...headersOf(body) }),
  ];
  const answers = [answer, ...otherAnswers].map(
    (success) => [String(success.status), describeAnswer(success)] as const,
  );
  return {
    operationId: id,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body.kind === "json" ? describeJson(body) : describeStreamed(body) }),
    responses: { ...Object.fromEntries(answers), ...describeRefusals(operation) },
    ...(isOpen === true ? { security: [] } : {}),
  };
}

function pathParameters(template: string): readonly object[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: textSchema({ minLength: 1 }),
  }));
}

function queryParameters(query: QueryShape | undefined): readonly object[] {
  const { fields = {}, required = [] } = query ?? {};
  return Object.entries(fields).map(([name, { schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) ? { required: true } : {}),
    // Several words are written with commas.
    ...(schema.type === "array" ? { style: "form", explode: false } : {}),
    schema,
  }));
}

function headersOf(body: ApiOperation["body"]): Readonly<Record<string, JsonSchema>> {
  return body?.kind === "streamed" ? body.headers : {};
}

function headerParameters(headers: Readonly<Record<string, JsonSchema>>): readonly object[] {
  return Object.entries(headers).map(([name, schema]) => ({ name, in: "header", schema }));
}

function describeJson({ fields, required, mayBeAbsent }: JsonBody): object {
  const properties = Object.entries(fields).map(
    ([name, { schema }]) => [name, required.includes(name) ? schema : orLeftOut(schema)] as const,
  );
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
  return { required: mayBeAbsent !== true, content: { [JSON_TYPE]: { schema } } };
}

/** Null counts as left out. */
function orLeftOut(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

function describeStreamed({ contentTypes, description }: StreamedBody): object {
  const content = contentTypes.map((type) => [type, { schema: textSchema() }] as const);
  return { description, required: true, content: Object.fromEntries(content) };
}

function describeAnswer({ description, schema, contentType = JSON_TYPE, headers }: SuccessAnswer): object {
  const headerSchemas = Object.entries(headers ?? {}).map(
    ([name, ofHeader]) => [name, { required: true, schema: ofHeader }] as const,
  );
  return {
    description,
    ...(headerSchemas.length === 0 ? {} : { headers: Object.fromEntries(headerSchemas) }),
    content: { [contentType]: { schema } },
  };
}

/** A value without titled schemas, and these by their titles, in the order of the alphabet. */
export interface CollectedComponents<T> {
  readonly value: T;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Replaces each schema with a title by a reference. */
export function collectComponents<T extends object>(value: T): CollectedComponents<T> {
  const components = new Map<string, JsonSchema>();
  const replaced = replaceIn(value, components) as T;
  return {
    value: replaced,
    schemas: Object.fromEntries([...components].sort(([first], [second]) => (first < second ? -1 : 1))),
  };
}

function replaceIn(value: unknown, components: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, components));
  if (!isPlainObject(value)) return value;
  const { title, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceIn(inner, components)] as const),
  );
  // A property may be called `title`; its value is then a schema, and not a text.
  if (typeof title !== "string") return title === undefined ? rest : { title, ...rest };
  components.set(title, rest);
  return { $ref: `#/components/schemas/${title}` };
}
