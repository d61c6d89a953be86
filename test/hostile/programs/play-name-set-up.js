// Plays a set-up of test/hostile/name-set-ups.ts in a network namespace: lets a name server and listeners run, calls the host by
// curl and by a delivery, and prints which listener each got. Must run in a separate namespace of the network and of mounts.

import { execFile, execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { argv } from "node:process";
import { promisify } from "node:util";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp } from "@postrider/undici";
import { startDnsServer } from "../dns-server.js";

const [, , folder, json] = argv;
const setUp = JSON.parse(json);
const SERVERS = { answers: "127.0.0.1", gone: "127.0.0.9", silent: "127.0.0.8" };
/** What a name server that is silent costs curl. */
const CURL_LIMIT_S = 30;
/** The default of a delivery. */
const TIMEOUT_MS = 5_000;

const ip = (...words) => execFileSync("ip", words);
ip("link", "set", "lo", "up");
place("hosts", "/etc/hosts", setUp.hosts ?? "");
place("nsswitch", "/etc/nsswitch.conf", setUp.nsswitch ?? "hosts: files dns\n");
const servers = (setUp.servers ?? ["answers"]).map((server) => `nameserver ${SERVERS[server]}\n`);
place("resolv", "/etc/resolv.conf", `${servers.join("")}${setUp.resolvConf ?? "search .\n"}`);
await startDnsServer((name) => setUp.dns?.[name], 53);
createSocket("udp4").bind(53, SERVERS.silent);

const got = [];
for (const [address, listener] of Object.entries(setUp.listeners)) {
  const isOfMachine = address === "::1" || address.startsWith("127.");
  const words = address.includes(":") ? [`${address}/128`, "dev", "lo", "nodad"] : [`${address}/32`, "dev", "lo"];
  if (!isOfMachine) ip("addr", "add", ...words);
  if (listener === "nothing") continue;
  const server = createServer((request, response) => {
    if (request.method === "POST") got.push(listener);
    response.end(listener);
  });
  await once(server.listen(80, address), "listening");
}

const url = `http://${setUp.host}/`;
const curl = await promisify(execFile)("curl", ["-sS", "--max-time", String(CURL_LIMIT_S), url]).then(
  ({ stdout }) => stdout,
  () => "none",
);
const http = createUndiciHttp({ clock: createSystemClock(), network: { allow: setUp.allow ?? [] } });
const reply = await http.send({ url, headers: [], body: new Uint8Array(), timeoutMs: TIMEOUT_MS });
const word = reply.kind === "answered" ? String(reply.status) : reply.fault;
console.log(JSON.stringify({ curl, delivery: got[0] ?? "none", word }));
process.exit();

/** Puts a text in the place of a file of the system, in this namespace only. */
function place(name, path, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  execFileSync("mount", ["--bind", file, path]);
}
