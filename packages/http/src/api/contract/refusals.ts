// Lists the codes of the API with their statuses, which is the table of docs/http-api.md, and writes the refusals of a
// route as responses of OpenAPI, grouped by status.

import { API_CODES, type ApiCode } from "../refuse.js";
import { choiceSchema, type JsonSchema, textSchema, wordSchema } from "./json-schema.js";
import type { ApiOperation } from "./operation.js";

export const REFUSALS: Readonly<Record<ApiCode, RefusalRow>> = {
  "bad-query": { status: 400, when: "an unknown filter, a missing one, one that is given twice, or a bad value" },
  "bad-json": { status: 400, when: "the body is no JSON" },
  "too-deep": { status: 400, when: "the body nests deeper than 256 levels" },
  "bad-replay": { status: 400, when: "the body of a replay has a bad, an unknown or a missing field" },
  "bad-deletion": {
    status: 400,
    when: "the body of a deletion has a bad, an unknown or a missing field; more than 5,000 users; an unknown source",
  },
  "bad-audience": {
    status: 400,
    when: "the body of an audience has a bad, an unknown or a missing field; a name with no letter and no digit",
  },
  "bad-members": { status: 400, when: "the upload is no list of members, or broke off: nothing has changed" },
  "bad-test": { status: 400, when: "the body of a test event is wrong, or its call would be refused" },
  "bad-config": { status: 422, when: "the config that was read again has problems: nothing has changed" },
  "bad-settings": { status: 422, when: "settings that were to be put or checked have problems: nothing has changed" },
  unauthorized: { status: 401, when: "no token, or a wrong one; with `WWW-Authenticate: Bearer`" },
  "rate-limited": { status: 429, when: "this token is wrong, as were too many of this address; see `Retry-After`" },
  "api-off": { status: 403, when: "the config has no `apiToken`" },
  "not-found": { status: 404, when: "no such path, or nothing of that id or name" },
  "method-not-allowed": { status: 405, when: "with `Allow`" },
  "not-finished": { status: 409, when: "only what is delivered or dead can be replayed" },
  purged: { status: 409, when: "the body of the delivery is gone" },
  "destination-removed": { status: 409, when: "its destination is not in the settings" },
  "destination-in-force": {
    status: 409,
    when: "the destination is still in the settings, so what waits for it cannot be forgotten",
  },
  "not-probed": { status: 409, when: "the lane is neither held nor blocked" },
  "too-many-jobs": { status: 409, when: "1,000 replay jobs are running" },
  "key-taken": { status: 409, when: "another audience has the key that the name leads to" },
  "sync-running": { status: 409, when: "the previous sync of this audience is still under way" },
  "would-remove": { status: 409, when: "more than half of an audience of 20 or more would leave" },
  "settings-in-file": {
    status: 409,
    when: "settings cannot be put, since those of this server are in its config file",
  },
  "stale-revision": { status: 412, when: "the settings have changed since the revision of `If-Match`" },
  "revision-required": { status: 428, when: "settings are put without `If-Match`" },
  "too-large": { status: 413, when: "the body is over 512,000 bytes; a list of members has no bound" },
  "unsupported-encoding": { status: 415, when: "`Content-Encoding` names another than gzip; with `Accept-Encoding`" },
  internal: { status: 500, when: "a bug in Postrider" },
  "not-supported": { status: 501, when: "the store of this server does not support users, audiences and so on" },
  overloaded: { status: 503, when: "there is no room for the body, a test, a reader or an export; with `Retry-After`" },
  "store-unavailable": { status: 503, when: "the store does not answer now; with `Retry-After`" },
};

/** The codes by which every route that asks for a token may refuse. */
const ANY_ROUTE: readonly ApiCode[] = ["unauthorized", "api-off", "rate-limited", "internal"];

/** The codes by which a route refuses a body that cannot be read. */
const UNREAD_BODY: readonly ApiCode[] = ["too-large", "unsupported-encoding", "overloaded"];

/** The codes by which a route refuses a body that is no JSON. */
const UNREAD_JSON: readonly ApiCode[] = ["bad-json", "too-deep", ...UNREAD_BODY];

/** The headers with advice for the caller, by status. */
const REFUSAL_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  415: ["Accept-Encoding"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

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
interface ResponseObject {
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
  const alternatives =
    plain.length === 0 ? detailed : [{ allOf: [ERROR, { properties: { code: choiceSchema(plain) } }] }, ...detailed];
  return alternatives.length === 1 && alternatives[0] !== undefined ? alternatives[0] : { anyOf: alternatives };
}

function detailedSchema(code: ApiCode, beside: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = { ...KEYS, code: wordSchema(code), ...beside };
  return { title: titleOf(code), type: "object", properties, required: Object.keys(properties) };
}

/** `would-remove` is `WouldRemoveError`. */
function titleOf(code: ApiCode): string {
  const words = code.split("-").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Error`;
}

interface RefusalRow {
  readonly status: number;
  /** As in the table of docs/http-api.md. */
  readonly when: string;
}
