// The API, each answer of which is compared with the OpenAPI document: what any test of the API asks for is a test of the
// document too.

import { type ApiOptions, createApi } from "@postrider/http/api";
import type { Handler } from "@postrider/http";
import { watchAnswers } from "../../ingest/world.js";
import { differencesOf, differencesOfBody } from "./contract.js";

/** An api that throws if an answer differs from the document, or if a body is accepted that the document does not allow. */
export function createCheckedApi(options: ApiOptions): Handler {
  const api = watchAnswers(createApi(options));
  return async (request) => {
    const answer = await api(request);
    const differences = [...differencesOf(request, answer), ...(answer.status < 300 ? differencesOfBody(request) : [])];
    if (differences.length > 0) throw new Error(`the document differs:\n${differences.join("\n")}`);
    return answer;
  };
}
