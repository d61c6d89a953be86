// The console of this program, at /console: the tokens that open it, its presence, and the log of the people at it.

import type { TrustedApiOptions } from "@postrider/http/api";
import { type Console, type ConsoleAction, createConsole } from "@postrider/console";
import type { Secret } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Answer, type Handler, type IncomingRequest, notFoundAnswer } from "@postrider/http";
import { hostname } from "node:os";
import { pid } from "node:process";
import type { DeliveryParts } from "./delivery-parts.js";
import { PROGRAM_VERSION } from "./program-version.js";

/** The name of this server: its machine and its process. */
export const SERVER_NAME: string = `${hostname()}/${String(pid)}`;

/** The path of the console. */
export const CONSOLE_PATH = "/console";

type HostedConsoleParts = Pick<
  DeliveryParts,
  "relay" | "calls" | "events" | "series" | "clock" | "random" | "settings" | "logger"
> &
  Pick<TrustedApiOptions, "held" | "fault" | "reload" | "desk">;

/** The console, and where it is. */
export interface HostedConsole {
  /** Answers the paths of the console, and `/`, from which it leads there. 404 while the config has it off, or has no `apiToken`. */
  readonly handler: Handler;
  /** The path, and the fragment that logs in once; undefined while the console is off. */
  loginPath(): string | undefined;
}

export function createHostedConsole(parts: HostedConsoleParts, onWrongToken: () => void): HostedConsole {
  const { relay, calls, events, series, clock, random, settings, logger, held, fault, reload, desk } = parts;
  const operator = (): Secret | undefined => settings.config.server.apiToken;
  const viewer = (): Secret | undefined => settings.config.server.viewerToken;
  const isOn = (): boolean => settings.config.server.console && operator() !== undefined;
  const page: Console = createConsole({
    relay,
    calls,
    events,
    series,
    clock,
    random,
    onWrongToken,
    program: PROGRAM_VERSION,
    server: SERVER_NAME,
    ...defined({ held, fault, reload, desk }),
    authenticate: { operator, viewer },
    basePath: CONSOLE_PATH,
    onAction: (action) => logger.log("info", { code: "console-action", detail: textOf(action) }),
  });
  const handle: Handler = async (request) => {
    if (!isOn()) return notFoundAnswer();
    return request.path === "/" ? redirectAnswer(request) : page(request);
  };
  return {
    handler: Object.assign(handle, defined({ knows: page.knows })),
    loginPath: () => (isOn() ? `${CONSOLE_PATH}/${page.loginPath() ?? ""}` : undefined),
  };
}

function textOf({ user, method, path, status, remoteAddress }: ConsoleAction): string {
  const from = remoteAddress === undefined ? "" : ` from ${remoteAddress}`;
  return `${user.name}${from}: ${method} ${path}, answered ${String(status)}`;
}

function redirectAnswer({ mountPath = "" }: IncomingRequest): Answer {
  return { status: 302, headers: [["Location", `${mountPath}${CONSOLE_PATH}/`]], body: "" };
}
