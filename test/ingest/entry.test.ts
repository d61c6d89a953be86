import * as http from "@postrider/http";
import * as ingest from "@postrider/ingest";
import { describe, expect, it } from "vitest";

describe("ingest", () => {
  it("also exports what a host needs to mount it; these exports are those of the package http", () => {
    expect({ ...ingest }).toEqual({
      createIngest: ingest.createIngest,
      MAX_REQUEST_BYTES: http.MAX_REQUEST_BYTES,
      composeHandlers: http.composeHandlers,
      createNodeListener: http.createNodeListener,
      createWebHandler: http.createWebHandler,
      encodingAnswer: http.encodingAnswer,
      errorAnswer: http.errorAnswer,
      jsonAnswer: http.jsonAnswer,
      methodAnswer: http.methodAnswer,
      notFoundAnswer: http.notFoundAnswer,
      overloadedAnswer: http.overloadedAnswer,
      rateLimitedAnswer: http.rateLimitedAnswer,
      readJson: http.readJson,
    });
  });
});
