import * as http from "@postrider/http";
import * as ingest from "@postrider/http/ingest";
import { describe, expect, it } from "vitest";

describe("ingest", () => {
  it("also exports what a host needs to mount it; these exports are those of the main entry", () => {
    expect({ ...ingest }).toEqual({
      createIngest: ingest.createIngest,
      MAX_REQUEST_BYTES: http.MAX_REQUEST_BYTES,
      composeHandlers: http.composeHandlers,
      createNodeListener: http.createNodeListener,
      createWebHandler: http.createWebHandler,
      unsupportedEncodingAnswer: http.unsupportedEncodingAnswer,
      errorAnswer: http.errorAnswer,
      jsonAnswer: http.jsonAnswer,
      wrongMethodAnswer: http.wrongMethodAnswer,
      notFoundAnswer: http.notFoundAnswer,
      overloadedAnswer: http.overloadedAnswer,
      rateLimitedAnswer: http.rateLimitedAnswer,
      readJson: http.readJson,
    });
  });
});
