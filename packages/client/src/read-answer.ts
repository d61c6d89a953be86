// Reads a server's answer, up to a limit of bytes. Must not know what the answer means.

import type { BatchAnswer } from "@postrider/core/batch";
import { MAX_ANSWER_BYTES } from "./limits.js";
import type { TransportAnswer } from "./transport.js";

/** Resolves with the whole answer; rejects if the answer breaks off. */
export async function readAnswer({ status, headers, body }: TransportAnswer): Promise<BatchAnswer> {
  return {
    kind: "answered",
    status,
    retryAfter: headers.get("retry-after") ?? undefined,
    body: await readText(body),
  };
}

async function readText(body: TransportAnswer["body"]): Promise<string> {
  const reader = body?.getReader();
  if (reader === undefined) return "";
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
