import { describe, it } from "vitest";
import { createFetchHttp, FETCH_SUPPORTS } from "@postrider/fetch";
import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";

describe("the fetch adapter, over Node's own fetch", () => {
  const cases = httpContract({
    create: ({ clock }) => createFetchHttp({ clock }),
    clock: createSystemClock,
    supports: FETCH_SUPPORTS,
  });
  for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
});
