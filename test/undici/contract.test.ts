import { describe, it } from "vitest";
import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";
import { createUndiciHttp, UNDICI_SUPPORTS } from "@postrider/undici";

/** At the same time: most cases wait for a receiver. */
describe.concurrent("the undici adapter", () => {
  const cases = httpContract({
    create: ({ clock, ca, allow, names }) =>
      createUndiciHttp({
        clock,
        network: { ca, allow },
        ...(names === undefined ? {} : { resolve: names }),
      }),
    clock: createSystemClock,
    supports: UNDICI_SUPPORTS,
  });
  for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
});
