// Writes the refusals of a route as responses of OpenAPI, grouped by their status. Knows the shape of an error, and no route.

import { API_CODES, type ApiCode } from "../refuse.js";
import { choiceSchema, type JsonSchema, textSchema, wordSchema } from "./json-schema.js";
import type { ApiOperation } from "./operation.js";
import { ANY_ROUTE, REFUSAL_HEADERS, REFUSALS, UNREAD_BODY, UNREAD_JSON } from "./refusals.js";

const DETAIL: JsonSchema = {
  type: "object",
  properties: {
    code: textSchema(),
    message: textSchema({ description: "for people; may change" }),
    path: textSchema({ description: "the place in the request" }),
    docs: textSchema({ description: "the address of what to do" }),
  },
  required: ["code", "message"],
};

const KEYS: Readonly<Record<string, JsonSchema>> = {
  success: { type: "boolean", const: false },
  code: textSchema(),
  message: textSchema({ description: "for people; may change" }),
  error: DETAIL,
};

/** Every refusal. `code` and `message` are there twice, for libraries that read them at the top. */
export const ERROR: JsonSchema = {
  title: "Error",
  type: "object",
  properties: KEYS,
  required: Object.keys(KEYS),
};

/** A response of OpenAPI. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface HeaderObject {
  readonly required: true;
  readonly schema: JsonSchema;
}

type Reference = Pick<Required<JsonSchema>, "$ref">;
type Beside = NonNullable<ApiOperation["beside"]>;

/** The codes by which an operation refuses: its own, those of its query and its body, and those of every route. */
export function codesOf({ query, body, refusals, isOpen }: ApiOperation): readonly ApiCode[] {
  const ofQuery: readonly ApiCode[] = query === undefined ? [] : ["bad-query"];
  const ofBody = body === undefined ? [] : [body.code, ...(body.kind === "json" ? UNREAD_JSON : UNREAD_BODY)];
  const ofAll = isOpen === true ? (["internal"] as const) : ANY_ROUTE;
  return [...new Set([...ofAll, ...ofQuery, ...ofBody, ...refusals])];
}

/** The refusals of an operation, by status. */
export function describeRefusals(operation: ApiOperation): Readonly<Record<string, ResponseObject | Reference>> {
  const codes = codesOf(operation);
  const statuses = [...new Set(codes.map((code) => REFUSALS[code].status))];
  const responses = statuses.map((status) => {
    const ofStatus = codes.filter((code) => REFUSALS[code].status === status);
    return [String(status), responseOf(ofStatus, operation.beside ?? {})] as const;
  });
  return Object.fromEntries(responses);
}

/** The responses that `describeRefusals` of these operations refers to: refusals by one code alone. */
export function sharedResponses(operations: readonly ApiOperation[]): Readonly<Record<string, ResponseObject>> {
  const responses = operations.flatMap((operation) => Object.values(describeRefusals(operation)));
  const referred = new Set(responses.flatMap((response) => ("$ref" in response ? [response.$ref] : [])));
  const codes = API_CODES.filter((code) => referred.has(referenceTo(code)));
  return Object.fromEntries(codes.map((code) => [code, writeResponse([code], {})]));
}

function referenceTo(code: ApiCode): string {
  return `#/components/responses/${code}`;
}

function responseOf(codes: readonly ApiCode[], beside: Beside): ResponseObject | Reference {
  const [only = "internal", ...others] = codes;
  if (others.length > 0 || beside[only] !== undefined) return writeResponse(codes, beside);
  return { $ref: referenceTo(only) };
}

function writeResponse(codes: readonly ApiCode[], beside: Beside): ResponseObject {
  const description = codes.map((code) => `\`${code}\`: ${REFUSALS[code].when}`).join("\n\n");
  const headers = codes.flatMap((code) => REFUSAL_HEADERS[REFUSALS[code].status] ?? []);
  const content = { "application/json": { schema: schemaOf(codes, beside) } };
  if (headers.length === 0) return { description, content };
  const required = Object.fromEntries(headers.map((name) => [name, { required: true, schema: textSchema() } as const]));
  return { description, headers: required, content };
}

function schemaOf(codes: readonly ApiCode[], beside: Beside): JsonSchema {
  const plain = codes.filter((code) => beside[code] === undefined);
  const detailed = codes.flatMap((code) => (beside[code] === undefined ? [] : [detailedSchema(code, beside[code])]));
  const all =
    plain.length === 0 ? detailed : [{ allOf: [ERROR, { properties: { code: choiceSchema(plain) } }] }, ...detailed];
  return all.length === 1 && all[0] !== undefined ? all[0] : { anyOf: all };
}

function detailedSchema(code: ApiCode, beside: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = { ...KEYS, code: wordSchema(code), ...beside };
  return { title: titleOf(code), type: "object", properties, required: Object.keys(properties) };
}

/** `would-remove` is `WouldRemoveError`. */
function titleOf(code: ApiCode): string {
  const words = code.split("-").map((one) => `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`);
  return `${words.join("")}Error`;
}
