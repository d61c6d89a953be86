// Each route describes itself: its body, its query, its answer, and the codes of its refusals. The OpenAPI document is made
// of these descriptions (decision: one contract). Also the version of the API, whose changes docs/stability.md limits.

import type { BadRequestCode, ApiCode } from "../refuse.js";
import type { JsonSchema } from "./json-schema.js";

/** Increases when an answer loses or changes something that a client may rely on. */
export const API_VERSION = 1;

/** A field that a query or a body may have. */
interface DescribedField {
  readonly schema: JsonSchema;
}

/** The fields of a query or a body, as `Fields` has them. */
type DescribedFields = Readonly<Record<string, DescribedField>>;

/** A query of these fields. A wrong one is refused with `bad-query`. */
export interface QueryShape {
  readonly fields: DescribedFields;
  readonly required?: readonly string[];
}

/** A body of JSON with these fields, as `readObjectBody` reads it. A wrong one is refused with `code`. */
export interface JsonBody {
  readonly kind: "json";
  readonly fields: DescribedFields;
  readonly required: readonly string[];
  readonly code: BadRequestCode;
  /** The request may have no body at all. */
  readonly mayBeAbsent?: true;
}

/** A body of another kind, which is read while it arrives. A wrong one is refused with `code`. */
export interface StreamedBody {
  readonly kind: "streamed";
  readonly contentTypes: readonly string[];
  readonly description: string;
  readonly code: BadRequestCode;
  /** The request headers that say how to read it. */
  readonly headers: Readonly<Record<string, JsonSchema>>;
}

/** The answer of a route without an error. */
export interface SuccessAnswer {
  readonly status: number;
  /** As in the table of docs/http-api.md. */
  readonly description: string;
  readonly schema: JsonSchema;
  /** `application/json` if absent. */
  readonly contentType?: string;
  /** The headers that it has beside those of all answers. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
}

/**
 * The people who may ask for an operation that changes nothing, where people have roles: `viewer`, all who may look; `content`, those who
 * may see the content of messages, and each time is reported; `operator`, those who may change everything.
 */
export type ReadBy = "viewer" | "content" | "operator";

/** The request and the answers of a route. */
export interface ApiOperation {
  /** Unique, stable, and a name in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Absent: it counts as a change, and is for operators alone (decision: rights of callers). */
  readonly readBy?: ReadBy;
  readonly query?: QueryShape;
  /** The request headers that it reads, beside those of its body. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonBody | StreamedBody;
  readonly answer: SuccessAnswer;
  /** Further answers that are no refusals. */
  readonly otherAnswers?: readonly SuccessAnswer[];
  /** The codes by which it refuses, without those of its query and its body, and those of every route. */
  readonly refusals: readonly ApiCode[];
  /** The fields beside the error in some refusals. */
  readonly beside?: Readonly<Partial<Record<ApiCode, Readonly<Record<string, JsonSchema>>>>>;
  /** No token is asked for. */
  readonly isOpen?: true;
}

/** A route, as far as the document shows it. */
export interface DescribedRoute {
  readonly method: "GET" | "POST" | "PUT";
  /** Such as `/api/deliveries/{id}`. */
  readonly template: string;
  readonly operation: ApiOperation;
}
