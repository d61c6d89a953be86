// The HTTP port of undici keeps its promises across a port, with both ends of the port within one thread.

import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";
import { createUndiciHttp, UNDICI_SUPPORTS } from "@postrider/undici";
import { describe, it } from "vitest";
import { connectedHttp } from "./http-channel.js";

describe("the undici adapter across a port", () => {
  const cases = httpContract({
    create: ({ clock, ca, allow, names }) => {
      const served = createUndiciHttp({
        clock,
        network: { ca, allow },
        ...(names === undefined ? {} : { resolve: names }),
      });
      return connectedHttp(served, { clock }).http;
    },
    clock: createSystemClock,
    supports: UNDICI_SUPPORTS,
  });
  for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
});
