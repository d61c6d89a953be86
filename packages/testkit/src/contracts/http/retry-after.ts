// Cases of the header Retry-After, which an adapter reports unread: core decides which answers it counts for, and its meaning.

import { expectEqual } from "../check.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

/** All that have a meaning, and the last one. */
const RETRIED_STATUSES = [408, 423, 425, 429, 500, 502, 503, 504, 507, 599];

export const RETRY_AFTER_CASES: readonly HttpCase[] = [
  {
    name: "reports Retry-After as it came, and its absence",
    play(scene) {
      const values = ["120", "007", "Wed, 21 Oct 2037 07:28:00 GMT", "soon", undefined];
      return expectReported(
        scene,
        values.map((value) => ({ status: 503, value })),
      );
    },
  },
  {
    name: "reports Retry-After of an answer with any status that is tried again",
    play(scene) {
      return expectReported(
        scene,
        RETRIED_STATUSES.map((status, index) => ({ status, value: String(index) })),
      );
    },
  },
];

interface Answered {
  readonly status: number;
  /** Of Retry-After; the answer has none if undefined. */
  readonly value: string | undefined;
}

/** Expects that one adapter reports Retry-After of each of these answers. */
async function expectReported(scene: HttpScene, answers: readonly Answered[]): Promise<void> {
  const receiver = await scene.serve((response, { path }) => {
    const { status, value } = answers[Number(path.slice(1))] ?? { status: 404, value: undefined };
    response.writeHead(status, value === undefined ? {} : { "Retry-After": value }).end();
  });
  const http = scene.open();
  for (const [index, { status, value }] of answers.entries()) {
    const reply = expectAnswer(await http.send(requestTo(receiver.url(`/${String(index)}`))));
    expectEqual(reply.retryAfter, value, `Retry-After of ${String(status)}`);
  }
}
