// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/http` exports.

import type { Clock } from "@postrider/core";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | AnswerStream;
}

export type AnswerStream = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

export interface ByteBudget {
  fits(bytes: number): boolean;
  reserved(): number;
  open(): Reservation;
}

export interface Handler {
  (request: IncomingRequest): Promise<Answer>;
  readonly knows?: (head: IncomingHead) => boolean;
}

export type IncomingHead = Omit<IncomingRequest, "body">;

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly mountPath?: string;
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: RequestBody;
  readonly remoteAddress?: string;
}

export interface KeyGuessLimit {
  note(address: string | undefined, owner: string | undefined): number;
  spend(address: string | undefined, guesses: number): void;
  waitMs(address: string | undefined, owner?: string): number;
}

export interface ListenerOptions {
  readonly limitBytes?: number;
  readonly heldBytes?: number;
  readonly keylessBytes?: number;
  readonly keylessBytesPerAddress?: number;
  readonly trustedProxies?: readonly string[] | (() => readonly string[] | undefined);
  readonly onHead?: (request: IncomingMessage, isKeyed: boolean) => void;
  readonly basePath?: string | undefined;
  readonly isStreamed?: (head: RequestHead) => boolean;
}

export declare const MAX_REQUEST_BYTES: number;

export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void;
  held(): RequestUsage;
  endStreams(): void;
}

export type ReadJsonResult =
  | {
      readonly kind: "ok";
      readonly value: unknown;
    }
  | {
      readonly kind: "refused";
      readonly reason: "bad-json" | "too-deep" | Exclude<RequestBody["kind"], "read" | "streamed">;
    };

export type RequestBody =
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "streamed";
      readonly chunks: AsyncIterable<Uint8Array>;
    }
  | {
      readonly kind: "too-large";
    }
  | {
      readonly kind: "no-room";
    }
  | {
      readonly kind: "unread-encoding";
    };

export type RequestHead = Pick<IncomingRequest, "method" | "path">;

export interface TextAnswer extends Answer {
  readonly body: string;
}

export declare const UNAVAILABLE_RETRY_AFTER_S = 5;

export interface WebHandler {
  (request: Request): Promise<Response>;
  endStreams(): void;
}

export type WebHandlerOptions = Pick<ListenerOptions, "limitBytes" | "isStreamed" | "basePath">;

export declare function composeHandlers(mounts: readonly Mount[]): Handler;

export declare function createByteBudget(limitBytes: number, whole?: ByteBudget): ByteBudget;

export declare function createKeyGuessLimit(clock: Pick<Clock, "monotonic">): KeyGuessLimit;

export declare function createNodeListener(handler: Handler, options?: ListenerOptions): NodeListener;

export declare function createWebHandler(handler: Handler, options?: WebHandlerOptions): WebHandler;

export declare function decodeText(bytes: Uint8Array): string | undefined;

export declare function errorAnswer(status: number, error: ErrorDetail, headers?: Headers): TextAnswer;

export declare function isSameSecret(shown: Uint8Array, secret: Uint8Array): boolean;

export declare function jsonAnswer(status: number, value: object, headers?: Headers): TextAnswer;

export declare function networkOf(address: string | undefined): string | undefined;

export declare function normalizePath(path: string): string;

export declare function notFoundAnswer(): Answer;

export declare function overloadedAnswer(): Answer;

export declare function parseJson(bytes: Uint8Array): ReadJsonResult;

export declare function rateLimitedAnswer(waitMs: number): Answer;

export declare function readJson(body: RequestBody): Promise<ReadJsonResult>;

export declare function readWholeBody(body: RequestBody, reservation?: Reservation): Promise<WholeBody>;

export declare function retryAfterSeconds(waitMs: number): number;

export declare function unsupportedEncodingAnswer(): Answer;

export declare function wrongMethodAnswer(allowed: readonly string[]): Answer;

// Not exported by name, but part of what is.

interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly docs?: string;
}

type Headers = Answer["headers"];

interface Mount {
  readonly at: string;
  readonly handler: Handler;
  readonly mergesSlashes?: boolean;
}

interface OpenRequests {
  readonly requests: number;
  readonly reading: number;
}

type RefusedBody = Extract<
  ReadJsonResult,
  {
    kind: "refused";
  }
>;

interface RequestUsage extends OpenRequests {
  readonly bytes: number;
  readonly keylessBytes: number;
}

interface Reservation {
  reserve(bytes: number): boolean;
  release(): void;
}

type WholeBody =
  | {
      readonly kind: "ok";
      readonly bytes: Uint8Array;
    }
  | RefusedBody;

export {};
