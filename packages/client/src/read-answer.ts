// Reads a server's answer, up to a limit of bytes. If a runtime has no stream of bytes, or no decoder
// of them, it reads the whole text.

import type { BatchAnswer } from "@postrider/core/batch";
import { MAX_ANSWER_BYTES } from "./limits.js";
import type { TransportAnswer } from "./transport.js";

/** Resolves with the answer, its body up to the limit; rejects if the answer breaks off. */
export async function readAnswer(answer: TransportAnswer): Promise<BatchAnswer> {
  if (!isAnswer(answer)) return { kind: "silent", fault: "bad-transport" };
  const { status, headers } = answer;
  return {
    kind: "answered",
    status,
    retryAfter: headers.get("retry-after") ?? undefined,
    body: await readText(answer),
  };
}

/** True if a transport has answered with the parts that the client reads. A host that checks no types may pass any transport. */
function isAnswer(answer: unknown): answer is TransportAnswer {
  const { status, headers } = (answer ?? {}) as Partial<TransportAnswer>;
  return typeof status === "number" && typeof headers?.get === "function";
}

async function readText(answer: TransportAnswer): Promise<string> {
  const { body } = answer;
  const isStream = typeof body?.getReader === "function" && typeof TextDecoder === "function";
  if (!isStream) return (await answer.text?.()) ?? "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < MAX_ANSWER_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value?.length ?? 0;
    text += decoder.decode(value, { stream: true });
  }
  // The rest of an answer over the limit is not read.
  await reader.cancel();
  return text;
}
