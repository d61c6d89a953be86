// Reads an answer of the API that is lines of JSON, while it arrives and of any length. Never rejects: what goes wrong is a result.

import type { Cancel } from "@postrider/core";
import type { Host } from "../host.js";
import type { ApiAccess } from "./ask-api.js";
import { answerInWords } from "./answer-in-words.js";
import { bearerHeader } from "./bearer-header.js";
import { faultInWords } from "./fault-in-words.js";

/** How long the server may send nothing. */
const SILENCE_MS = 60_000;

/** `refused`: there is no answer, another one than was asked for, or it broke off. */
export type ReadLines = { readonly kind: "ok" } | { readonly kind: "refused"; readonly reason: string };

/** Calls `onLine` with each line, one after the other. */
export async function linesFromApi(
  host: Pick<Host, "clock">,
  { url, token }: ApiAccess,
  path: string,
  onLine: (line: string) => Promise<void>,
): Promise<ReadLines> {
  const silence = watchSilence(host);
  let what = `no answer from ${url}`;
  try {
    const headers = { authorization: bearerHeader(token) };
    const response = await fetch(`${url}${path}`, { headers, signal: silence.signal, redirect: "manual" });
    if (response.status !== 200 || response.body === null) return await refusedBy(response);
    what = "the answer broke off";
    for await (const line of linesOf(response.body, silence.heard)) await onLine(line);
    return { kind: "ok" };
  } catch (error) {
    return { kind: "refused", reason: `${what}: ${faultInWords(silence.signal.aborted ? "timeout" : error)}` };
  } finally {
    silence.end();
  }
}

async function refusedBy(response: Response): Promise<ReadLines> {
  const text = await response.text();
  return { kind: "refused", reason: answerInWords({ kind: "answered", status: response.status, text }) };
}

async function* linesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPiece: () => void,
): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    onPiece();
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Aborts once nothing was heard for too long. */
function watchSilence({ clock }: Pick<Host, "clock">): Silence {
  const abort = new AbortController();
  const begin = (): Cancel => clock.after(SILENCE_MS, () => abort.abort());
  let cancel = begin();
  const end = (): void => cancel();
  const heard = (): void => {
    end();
    cancel = begin();
  };
  return { signal: abort.signal, heard, end };
}

interface Silence {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  readonly end: () => void;
}
