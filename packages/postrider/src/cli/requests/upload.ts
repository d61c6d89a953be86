// Sends a body that may be longer than memory, with backpressure, and returns the answer as text. Never rejects: an
// unreachable server is a result too. There is no time limit, since an upload may last for hours; fetch would set a
// limit.

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { faultInWords } from "./fault-in-words.js";
import type { SendResult } from "./send-json.js";

export interface Upload {
  readonly url: string;
  /** The whole Authorization header. */
  readonly authorization: string;
  readonly contentType: string;
  /** How many members would leave the audience, as the operator has confirmed. */
  readonly confirmRemove?: number;
  /** If it throws, the upload ends and changes nothing. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends the upload. If the server answers before the end of the body, the rest is not sent. */
export function upload({ url, authorization, contentType, confirmRemove, body }: Upload): Promise<SendResult> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise<SendResult>((resolve, reject) => {
    const confirmation = confirmRemove === undefined ? {} : { "x-confirm-remove": String(confirmRemove) };
    const headers = { authorization, "content-type": contentType, ...confirmation };
    const request = send(url, { method: "POST", headers });
    request.on("error", reject);
    request.on("response", (response) => {
      // Errors of the rest of the body do not matter any more.
      request.off("error", reject).on("error", () => undefined);
      readAll(response)
        .then((text) => resolve({ kind: "answered", status: response.statusCode ?? 0, text }), reject)
        .finally(() => request.destroy());
    });
    pipeline(Readable.from(body), request).catch(() => undefined);
  }).catch((error: unknown) => ({ kind: "unreachable", reason: `no answer from ${url}: ${faultInWords(error)}` }));
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response as AsyncIterable<string>) text += piece;
  return text;
}
