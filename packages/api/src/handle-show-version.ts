// GET /api/version: the version of the program, and those of what it keeps stable for others: its API and its config. Knows
// no file: the host says what the program is (decision: one contract).

import { CONFIG_VERSION } from "@postrider/codec";
import { type Answer, jsonAnswer } from "@postrider/http";
import { component, integerSchema, type Of, orNull, textSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { API_VERSION } from "./contract/versions.js";

const VERSION = component("Version", {
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
  const told = { program: program ?? null, server: server ?? null };
  const versions: Of<typeof VERSION> = { ...told, api: API_VERSION, config: CONFIG_VERSION };
  return jsonAnswer(200, versions);
}
