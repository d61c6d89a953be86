// Cases of the header Retry-After, which an adapter reports unread: core decides which answers it counts for, and its meaning.

import { expectEqual } from "../check.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

/** All that have a meaning, and the last one. */
const RETRIED_STATUSES = [408, 423, 425, 429, 500, 502, 503, 504, 507, 599];

export const RETRY_AFTER_CASES: readonly HttpCase[] = [
  {
    name: "reports Retry-After as it came, and its absence",
    async play(scene) {
      for (const value of ["120", "007", "Wed, 21 Oct 2037 07:28:00 GMT", "soon", undefined]) {
        await expectRetryAfter(scene, [503], value);
      }
    },
  },
  {
    name: "reports Retry-After of an answer with any status that is tried again",
    async play(scene) {
      await expectRetryAfter(scene, RETRIED_STATUSES, "120");
    },
  },
];

async function expectRetryAfter(
  scene: HttpScene,
  statuses: readonly number[],
  value: string | undefined,
): Promise<void> {
  const receiver = await scene.serve((response, { path }) => {
    response.writeHead(Number(path.slice(1)), value === undefined ? {} : { "Retry-After": value }).end();
  });
  const http = scene.open();
  for (const status of statuses) {
    const reply = expectAnswer(await http.send(requestTo(receiver.url(`/${String(status)}`))));
    expectEqual(reply.retryAfter, value, `Retry-After of ${String(status)}`);
  }
}
