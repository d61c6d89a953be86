// The HTTP port of undici keeps its promises across a port: with both ends in one thread, and from a separate thread, which
// runs the build: `tsc -b` first. That thread is started before, since some promises are about time.

import { createSystemClock } from "@postrider/system";
import { httpContract, type HttpAdapterOptions } from "@postrider/testkit/contracts";
import { connectHttp, type ConnectedHttp } from "@postrider/thread";
import { createUndiciHttp, UNDICI_SUPPORTS } from "@postrider/undici";
import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from "node:worker_threads";
import { afterAll, describe, it } from "vitest";
import { connectedHttp } from "./http-channel.js";

const PLACES = { "across a port": onThisThread, "in a separate thread": inThread };

describe.each(Object.entries(PLACES))("the undici adapter %s", (_place, create) => {
  const cases = httpContract({ create, clock: createSystemClock, supports: UNDICI_SUPPORTS });
  for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
});

function onThisThread({ clock, ca, allow, names }: HttpAdapterOptions): ConnectedHttp {
  const resolve = names === undefined ? {} : { resolve: names };
  return connectedHttp(createUndiciHttp({ clock, network: { ca, allow }, ...resolve }), { clock }).http;
}

const thread = new Worker(new URL("programs/http-thread.js", import.meta.url), { env: SHARE_ENV, execArgv: [] });
afterAll(() => thread.terminate());

function inThread({ clock, ca, allow, names }: HttpAdapterOptions): ConnectedHttp {
  const { port1, port2 } = new MessageChannel();
  const namesPort = names === undefined ? undefined : answerNames(names);
  const given = { port: port2, network: { ca, allow }, names: namesPort };
  thread.postMessage(given, namesPort === undefined ? [port2] : [port2, namesPort]);
  return connectHttp(port1, { clock, terminate: () => port1.close(), onEnd: () => undefined });
}

/** Returns the end of a channel on which names are asked for. */
function answerNames(names: NonNullable<HttpAdapterOptions["names"]>): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  port1.on("message", ({ id, host }: { readonly id: number; readonly host: string }) => {
    names(host).then(
      (addresses) => port1.postMessage({ id, addresses }),
      (error: unknown) => port1.postMessage({ id, code: (error as { readonly code?: string }).code }),
    );
  });
  return port2;
}
