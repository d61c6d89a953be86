import { describe, it } from "vitest";
import { createFetchHttp, FETCH_LIMITS } from "@postrider/fetch";
import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";

describe("the fetch adapter, over Node's own fetch", () => {
  const cases = httpContract({
    create: ({ clock }) => createFetchHttp({ clock }),
    clock: createSystemClock,
    supports: FETCH_LIMITS,
  });
  for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
});
