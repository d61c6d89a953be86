// GET /api/version, GET /healthz and GET /api/openapi.json: shows the versions of the program, its API and its config,
// whether the server can work, and the document of this API (decision: one contract).

import { CONFIG_VERSION } from "@postrider/relay/settings";
import { type Answer, jsonAnswer } from "../index.js";
import type { Health } from "@postrider/relay";
import {
  component,
  integerSchema,
  orNull,
  textSchema,
  flagSchema,
  objectSchema,
  anyObjectSchema,
} from "./contract/json-schema.js";
import { type ApiOperation, API_VERSION, type DescribedRoute } from "./contract/operation.js";
import { openapiOf } from "./contract/openapi.js";

/** The versions of the program, of the API and of the config, and the server that answers; null if it has no name. */
export interface VersionJson {
  readonly program: string | null;
  readonly server: string | null;
  readonly api: number;
  readonly config: number;
}

const VERSION = component<VersionJson>("Version", {
  program: orNull(textSchema()),
  server: orNull(textSchema()),
  api: integerSchema({ minimum: 1 }),
  config: integerSchema({ minimum: 1 }),
});

export const SHOW_VERSION: ApiOperation = {
  id: "showVersion",
  summary: "Shows the versions of the program, of this API and of the config, and which server answers.",
  readBy: "viewer",
  answer: {
    status: 200,
    description: "the versions of program, API and config, and which server answers",
    schema: VERSION,
  },
  refusals: [],
};

/** Answers `{ program, server, api, config }`. */
export function handleShowVersion(program: string | undefined, server: string | undefined): Answer {
  const identity = { program: program ?? null, server: server ?? null };
  const versions: VersionJson = { ...identity, api: API_VERSION, config: CONFIG_VERSION };
  return jsonAnswer(200, versions);
}

/** The health of a server; `reason` is null if it is healthy. */
export interface HealthJson {
  readonly healthy: boolean;
  readonly reason: string | null;
}

const HEALTH = objectSchema<HealthJson>({ healthy: flagSchema(), reason: orNull(textSchema()) });

export const SHOW_HEALTH: ApiOperation = {
  id: "showHealth",
  summary: "Tells whether the server can work. Asks for no token.",
  readBy: "viewer",
  answer: { status: 200, description: "it can", schema: HEALTH },
  otherAnswers: [{ status: 503, description: "it cannot, for the reason", schema: HEALTH }],
  refusals: [],
  isOpen: true,
};

/**
 * Answers `{ healthy, reason }`: 200 if the relay is healthy and there is no `fault`; else 503 with the reason of the
 * relay, or with `fault` if the relay is healthy.
 */
export function handleShowHealth(health: Health, fault?: string): Answer {
  const reason = health.kind === "unhealthy" ? health.reason : (fault ?? null);
  const body: HealthJson = { healthy: reason === null, reason };
  return jsonAnswer(body.healthy ? 200 : 503, body);
}

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
