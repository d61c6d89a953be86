// Sends requests to the given URL, one after the other, prints what came of each, and leaves its connection open: the process runs
// until the last answer, and then ends by itself. Prints whether a connection is open at that moment.

import { createSystemClock } from "@postrider/system";
import { createUndiciHttp } from "@postrider/undici";
import { subscribe } from "node:diagnostics_channel";
import process, { argv } from "node:process";

/** @type {import("node:net").Socket[]} */
const sockets = [];
subscribe("net.client.socket", (message) => {
  sockets.push(/** @type {{ socket: import("node:net").Socket }} */ (message).socket);
});
process.on("exit", () => console.log(sockets.every(({ destroyed }) => destroyed) ? "closed" : "open"));

const [, , url, count] = argv;
const http = createUndiciHttp({ clock: createSystemClock(), network: { allow: ["127.0.0.0/8"] } });
const body = new TextEncoder().encode("{}");
for (let sent = 0; sent < Number(count); sent += 1) {
  const reply = await http.send({ url, headers: [], body, timeoutMs: 60_000 });
  console.log(reply.kind === "answered" ? reply.status : reply.fault);
}
