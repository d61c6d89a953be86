// Creates the HTTP port that the settings ask for: in this thread, or in a separate one. Must not know how either sends.

import type { ServerSettings } from "@postrider/codec";
import { createUndiciHttp } from "@postrider/undici";
import type { ClosableHttp } from "./switchable-http.js";
import { createThreadedHttp, type ThreadedHttpOptions } from "./threaded-http.js";

/** The settings that decide how requests are sent. */
export type SenderSettings = Pick<ServerSettings, "network" | "senderThread">;

export type SenderPorts = Omit<ThreadedHttpOptions, "network">;

/** Creates the port over undici. */
export function createSenderHttp({ network, senderThread }: SenderSettings, ports: SenderPorts): ClosableHttp {
  if (senderThread) return createThreadedHttp({ network, ...ports });
  const onUnaskedAnswer = (detail: string): void => ports.logger.log("warning", { code: "unasked-answer", detail });
  return createUndiciHttp({ network, ...ports, onUnaskedAnswer });
}

/** Whether a port for the one is right for the other. */
export function isSameSender(one: SenderSettings, other: SenderSettings): boolean {
  const relevant = ({ network, senderThread }: SenderSettings): string => JSON.stringify([network, senderThread]);
  return relevant(one) === relevant(other);
}
