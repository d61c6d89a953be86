// Our HTTP adapter on node:http and node:https: one POST, one reply. One timer covers the look-up, the answer and its body.

import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { rootCertificates } from "node:tls";
import {
  type Clock,
  type Fault,
  type HttpPort,
  type HttpRequest,
  MAX_EXCERPT_BYTES,
  MAX_REPLY_BYTES,
} from "@postrider/core";
import { createChoose } from "./addresses.js";
import { checkCertificate } from "./certificates.js";
import { LocalFault, lookupFault, requestFault } from "./faults.js";

/** Bytes of an answer with all its framing, interim answers and chunks included. */
const MAX_WIRE_BYTES = 262_144;
/** Below the five seconds after which many servers close an idle connection. */
const IDLE_MS = 4_000;

export interface NodeHttpOptions {
  readonly clock: Clock;
  /** Ranges that may be reached although they are not public. */
  readonly allow?: readonly string[];
  /** Authorities that are trusted in addition to the public ones, as PEM text. */
  readonly ca?: readonly string[];
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

export function createNodeHttp({
  clock,
  allow = [],
  ca = [],
  resolve,
}: NodeHttpOptions): HttpPort & { close(): Promise<void> } {
  const choose = createChoose(allow);
  const pool = { keepAlive: true, timeout: IDLE_MS, noDelay: true };
  const trusted = ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] };
  const tls = {
    ...trusted,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    checkServerIdentity: checkCertificate,
  } as const;
  const plain = new HttpAgent(pool);
  // No session is resumed, so that each connection shows its certificate.
  const secure = new HttpsAgent({ ...pool, ...tls, maxCachedSessions: 0 });
  const underWay = new Set<(fault: Fault) => void>();
  let isClosed = false;

  const lookup: LookupFunction = (host, options, found) => {
    resolve(host)
      .catch((error: unknown) => Promise.reject(new LocalFault(lookupFault(error))))
      .then((addresses) => {
        if (addresses.length === 0) throw new LocalFault("dns");
        const chosen = choose(addresses);
        if (chosen.length === 0) throw new LocalFault("forbidden-address");
        const all = chosen.map((address) => ({ address, family: isIP(address) }));
        if (options.all === true) found(null, all);
        else found(null, all[0]!.address, all[0]!.family);
      })
      .catch((error: unknown) => found(error as Error, []));
  };

  function start(url: URL, { url: text, headers, body }: HttpRequest): ClientRequest {
    const isSecure = url.protocol === "https:";
    const framing = ["Host", url.host, "Content-Length", String(body.length)];
    const host = url.hostname.replace(/^\[|\]$/g, "");
    return (isSecure ? requestHttps : requestHttp)({
      ...{ method: "POST", host, port: url.port, path: targetOf(text, url), lookup, agent: isSecure ? secure : plain },
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
      headers: [...framing, ...headers.flat()],
    });
  }

  return {
    send: (request) =>
      new Promise((answer) => {
        const startedAt = clock.monotonic();
        const afterMs = (): number => clock.monotonic() - startedAt;
        let head: { readonly status: number; readonly afterMs: number; readonly retryAfter?: string } | undefined;
        let sent: ClientRequest | undefined;
        const kept: Uint8Array[] = [];
        let keptBytes = 0;
        let readBytes = 0;
        const cancel = clock.after(request.timeoutMs, () => end("timeout"));
        underWay.add(end);

        function reply(): void {
          answer({ kind: "answered", ...head!, excerpt: new Uint8Array(Buffer.concat(kept)) });
        }

        /** The end of the exchange, whether or not its answer is complete. Only the first call counts. */
        function end(fault: Fault): void {
          if (!underWay.delete(end)) return;
          cancel();
          if (head === undefined) answer({ kind: "silent", fault, afterMs: afterMs() });
          else reply();
          sent?.destroy();
        }

        function onResponse(response: IncomingMessage): void {
          const status = response.statusCode ?? 0;
          if (afterMs() > request.timeoutMs) {
            end("timeout");
            return;
          }
          if (status < 200 || status > 599) {
            end("bad-response");
            return;
          }
          const retryAfter = response.headers["retry-after"];
          head = { status, afterMs: afterMs(), ...(retryAfter === undefined ? {} : { retryAfter }) };
          const isSuccess = status < 300;
          if (isSuccess) reply();
          response.on("error", () => end("connection-reset"));
          response.on("close", () => end("connection-reset"));
          response.on("data", (chunk: Buffer) => {
            readBytes += chunk.length;
            const part = isSuccess ? chunk.subarray(0, 0) : chunk.subarray(0, MAX_EXCERPT_BYTES - keptBytes);
            if (part.length > 0) kept.push(Uint8Array.from(part));
            keptBytes += part.length;
            if (keptBytes === MAX_EXCERPT_BYTES) reply();
            if (readBytes >= MAX_REPLY_BYTES) end("bad-response");
          });
          response.on("end", () => {
            if (!underWay.delete(end)) return;
            cancel();
            reply();
          });
        }

        try {
          if (isClosed) throw new LocalFault("local");
          const url = new URL(request.url);
          const host = url.hostname.replace(/^\[|\]$/g, "");
          if (isIP(host) !== 0 && choose([host]).length === 0) throw new LocalFault("forbidden-address");
          sent = start(url, request);
          // After the status line the response ends by itself, and has more to read: node tells of an error at once.
          sent.on("error", (error) => {
            if (head === undefined) end(requestFault(error));
          });
          sent.on("upgrade", () => end("bad-response"));
          sent.on("response", onResponse);
          sent.on("socket", (socket) => watch(socket, () => underWay.has(end), end));
          sent.end(request.body);
        } catch (error) {
          end(requestFault(error));
        }
      }),
    async close() {
      isClosed = true;
      for (const end of underWay) end("local");
      plain.destroy();
      secure.destroy();
    },
  };
}

/** The path and the query as they are written, an empty query included. */
function targetOf(text: string, { pathname, search }: URL): string {
  const isQueryEmpty = search === "" && /^[^#]*\?(?:#|$)/.test(text);
  return `${pathname}${isQueryEmpty ? "?" : search}`;
}

/** Ends the exchange once its answer has more bytes on the wire than any answer needs. */
function watch(socket: Socket, isUnderWay: () => boolean, end: (fault: Fault) => void): void {
  const before = socket.bytesRead;
  const look = (): void => {
    if (!isUnderWay()) socket.off("data", look);
    else if (socket.bytesRead - before > MAX_WIRE_BYTES) end("bad-response");
  };
  socket.on("data", look);
}
