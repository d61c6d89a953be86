// Sends one request to the given URL, trusting the certificate in the given file, if any, and prints the reply. Every
// name resolves to 127.0.0.1. A separate process, since Node reads some of its environment only at the start.

import { createSystemClock } from "@postrider/system";
import { createUndiciHttp } from "@postrider/undici";
import { readFileSync } from "node:fs";
import { argv } from "node:process";

const [, , url, caFile] = argv;
const ca = caFile === undefined ? [] : [readFileSync(caFile, "utf8")];
const http = createUndiciHttp({
  clock: createSystemClock(),
  network: { allow: ["127.0.0.0/8"], ca },
  resolve: async () => ["127.0.0.1"],
});
const body = new TextEncoder().encode("{}");
const reply = await http.send({ url, headers: [["X-One", "1"]], body, timeoutMs: 5_000 });
await http.close();
console.log(reply.kind === "answered" ? reply.status : reply.fault);
