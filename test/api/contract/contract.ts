// Compares answers of the API with its OpenAPI document, strictly: a key that the document does not name is a difference, though
// a client has to ignore it.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Answer, IncomingRequest } from "@postrider/http";
import { openapiOf } from "../../../packages/http/src/api/contract/openapi.js";
import { DESCRIBED, ROUTES } from "../../../packages/http/src/api/routes.js";

interface Media {
  readonly schema: object;
}

interface ResponseObject {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, Media>>;
}

/** An operation of the document, as far as it is read here. */
export interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export const DOCUMENT = openapiOf(DESCRIBED);

const STRICT = closeObjects(DOCUMENT) as typeof DOCUMENT;

/** RFC 3339 in UTC. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, formats: { "date-time": INSTANT } });
ajv.addVocabulary(Object.keys(DOCUMENT));
ajv.addSchema({ $id: "doc:", ...STRICT });

/** All operations of the document, by their ids. */
export const OPERATIONS: ReadonlyMap<string, OperationObject> = new Map(
  Object.values(STRICT.paths)
    .flatMap((methods) => Object.values(methods) as OperationObject[])
    .map((operation) => [operation.operationId, operation]),
);

/** The operation that a request asks for; undefined if the document has none. */
export function operationAt({ method, path }: Pick<IncomingRequest, "method" | "path">): OperationObject | undefined {
  const found = [...ROUTES.map((route) => ({ ...route, path: route.path })), HEALTH].find(
    (route) => route.method === method && route.path.test(path),
  );
  return found && OPERATIONS.get(found.operation.id);
}

const [health] = DESCRIBED;
const HEALTH = { ...health!, path: /^\/healthz$/ };

/** How an answer differs from what the document says of its operation; empty if it does not. */
export function differencesOf(request: IncomingRequest, answer: Answer): readonly string[] {
  const operation = operationAt(request);
  const where = `${request.method} ${request.path} ${String(answer.status)}`;
  const has = new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const type = has.get("content-type") ?? "";
  // Of an answer that is a stream, the head alone is compared.
  if (typeof answer.body !== "string") return hasMedia(operation, answer.status, type) ? [] : [`${where}: no ${type}`];
  const body: unknown = type === "application/json" ? JSON.parse(answer.body) : answer.body;
  if (operation === undefined) return validate({ $ref: "doc:#/components/schemas/Error" }, body, where);
  const response = resolve(operation.responses[String(answer.status)]);
  if (response === undefined) return [`${where}: ${operation.operationId} has no such status`];
  const missing = Object.keys(response.headers ?? {}).filter((name) => !has.has(name.toLowerCase()));
  const media = response.content[type];
  return [
    ...missing.map((name) => `${where}: no header ${name}`),
    ...(media === undefined ? [`${where}: no content of type ${type}`] : validate(media.schema, body, where)),
  ];
}

function hasMedia(operation: OperationObject | undefined, status: number, type: string): boolean {
  return resolve(operation?.responses[String(status)])?.content[type] !== undefined;
}

/** How a body that was accepted differs from what the document says that may be sent. */
export function differencesOfBody(request: IncomingRequest): readonly string[] {
  const schema = operationAt(request)?.requestBody?.content["application/json"]?.schema;
  if (schema === undefined || request.body.kind !== "read" || request.body.bytes.length === 0) return [];
  return validate(schema, JSON.parse(new TextDecoder().decode(request.body.bytes)), `the body of ${request.path}`);
}

/** How a value differs from a schema of the document. */
export function validate(schema: object, value: unknown, where: string): readonly string[] {
  const check = compiled(schema);
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message = "", params }) =>
    [where, instancePath, message, JSON.stringify(params)].join(" "),
  );
}

const known = new Map<object, ValidateFunction>();

function compiled(schema: object): ValidateFunction {
  const check = known.get(schema) ?? ajv.compile(withFullReferences(schema) as object);
  known.set(schema, check);
  return check;
}

/** References as a schema beside the document writes them. */
function withFullReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFullReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? inner.replace(/^#/, "doc:#") : withFullReferences(inner),
    ]),
  );
}

function resolve(response: ResponseObject | undefined): ResponseObject | undefined {
  const name = response?.$ref?.split("/").at(-1);
  return name === undefined ? response : (STRICT.components.responses[name] as ResponseObject | undefined);
}

/** No object has other keys than those that are named. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== "object" || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]));
  return closed["type"] === "object" && "properties" in closed ? { ...closed, additionalProperties: false } : closed;
}
