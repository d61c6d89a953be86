// The message of a delivery is not sent to the page until a person asks for it, since it often tells of a person. Each time is told.

import type { Answer } from "@postrider/http";

const MESSAGE = /^(\/api\/deliveries\/[^/]+)\/message$/;

/** The path of the delivery whose message is asked for; undefined if the path is another. */
export function deliveryOfMessage(path: string): string | undefined {
  return MESSAGE.exec(path)?.[1];
}

/** The answer about a delivery without its message; `hasMessage` says whether there is one. */
export function withoutMessage(answer: Answer): Answer {
  return rewritten(answer, ({ message, ...delivery }) => ({
    ...delivery,
    message: null,
    hasMessage: message !== null,
  }));
}

/** The answer, whichever it is, without what receivers have answered, which may repeat a message. */
export function withoutExcerpts(answer: Answer): Answer {
  if (typeof answer.body !== "string" || !answer.body.includes('"excerpt"')) return answer;
  return rewritten(
    answer,
    (record) => record,
    (key, value) => (key === "excerpt" ? null : value),
  );
}

/** The message alone. */
export function onlyMessage(answer: Answer): Answer {
  return rewritten(answer, ({ message }) => ({ message }));
}

function rewritten(
  answer: Answer,
  change: (record: Readonly<Record<string, unknown>>) => object,
  revive?: (key: string, value: unknown) => unknown,
): Answer {
  if (answer.status !== 200 || typeof answer.body !== "string") return answer;
  // Safe cast: the API answers objects.
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body, revive) as Record<string, unknown>)) };
}
