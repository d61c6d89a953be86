// The address of the page that each error refers to.

import { errorDocs } from "@postrider/core/engine";
import { expect, it } from "vitest";

it("leads to the row of an error, on the page about errors of the repository", () => {
  expect(errorDocs("http-bad-query")).toBe(
    "https://github.com/postrider/postrider/blob/main/docs/errors.md#http-bad-query",
  );
});
