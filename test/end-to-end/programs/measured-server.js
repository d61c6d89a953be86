// The server of a config file in a separate process, which reports its memory on request. Shared prototypes are frozen.
// Needs `tsc -b` first, and `--expose-gc`.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import { readConfig, startServer } from "postrider";

const [config = "", limits = "{}"] = process.argv.slice(2);
const clock = createSystemClock();

const read = readConfig(config, (name) => process.env[name]);
if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
const started = await startServer({
  config: read.config,
  clock,
  random: createSystemRandom(),
  logger: { log: (level, entry) => process.send({ kind: "log", entry: { level, ...entry } }) },
  limits: JSON.parse(limits),
});
if (started.kind === "refused") throw new Error(started.reason);

for (const shared of [Object, Array, Function, Map, Promise]) Object.freeze(shared.prototype);

process.on("message", (message) => {
  if (message === "measure") measure();
});
process.send({ kind: "listening", url: started.server.url });

function measure() {
  globalThis.gc();
  // Objects freed by the first collection may release others.
  setTimeout(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    process.send({ kind: "measured", bytes: heapUsed + external, sockets });
  }, 50);
}
