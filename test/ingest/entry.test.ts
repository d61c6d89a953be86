import * as http from "@postrider/http";
import * as ingest from "@postrider/ingest";
import { describe, expect, it } from "vitest";

describe("ingest", () => {
  it("exports, beside itself, what a host mounts it with, as the same things that the HTTP kit has", () => {
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
