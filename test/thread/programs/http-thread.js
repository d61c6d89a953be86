// Serves HTTP ports over undici, each on a message port that it is given. Names are resolved by the thread that gives it.

import { createSystemClock } from "@postrider/system";
import { serveHttp } from "@postrider/thread";
import { createUndiciHttp } from "@postrider/undici";
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ port, network, names }) => {
  const resolve = names === undefined ? {} : { resolve: resolveBy(names) };
  serveHttp((refuse) => createUndiciHttp({ clock: createSystemClock(), network, refuse, ...resolve }), port);
});

/** Asks for the addresses of a name over a message port. */
function resolveBy(names) {
  const waiting = new Map();
  let lastId = 0;
  names.on("message", ({ id, addresses, code }) => {
    const { resolve, reject } = waiting.get(id);
    if (addresses === undefined) reject(Object.assign(new Error("no such name"), { code }));
    else resolve(addresses);
  });
  names.unref();
  return (host) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      names.postMessage({ id: lastId, host });
    });
}
