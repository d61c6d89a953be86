import { describe, it } from "vitest";
import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";
import { createUndiciHttp, UNDICI_SUPPORTS } from "@postrider/undici";

/** Most cases wait for a receiver, so they do it at the same time. Those that change the environment have it to themselves. */
const CHANGES_ENVIRONMENT = /NODE_TLS_REJECT_UNAUTHORIZED/;

describe("the undici adapter", () => {
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
  for (const { name, skipped, run } of cases)
    it(name, { concurrent: !CHANGES_ENVIRONMENT.test(name), skip: skipped !== undefined }, run);
});
