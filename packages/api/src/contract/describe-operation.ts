// Writes one route as an operation of OpenAPI: its parameters, its body, its answers.

import { describeRefusals } from "./describe-refusals.js";
import { type JsonSchema, textSchema } from "./json-schema.js";
import type { DescribedRoute, JsonBody, ApiOperation, QueryShape, StreamedBody, SuccessAnswer } from "./operation.js";

const JSON_TYPE = "application/json";

/** The operation of a route. */
export function describeOperation({ template, operation }: DescribedRoute): object {
  const { id, summary, query, headers = {}, body, answer, otherAnswers = [], isOpen } = operation;
  const parameters = [
    ...pathParameters(template),
    ...queryParameters(query),
    ...headerParameters({ ...headers, ...headersOf(body) }),
  ];
  const answers = [answer, ...otherAnswers].map((one) => [String(one.status), describeAnswer(one)] as const);
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
  const shown = Object.entries(headers ?? {}).map(
    ([name, ofHeader]) => [name, { required: true, schema: ofHeader }] as const,
  );
  return {
    description,
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    content: { [contentType]: { schema } },
  };
}
