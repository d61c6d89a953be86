// Takes a hundred calls one after the other, and waits until a receiver has each: a run in which whatever a call needs runs a
// hundred times. Prints how many have arrived.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostrider } from "postrider";

const CALLS = 100;

const folder = mkdtempSync(join(tmpdir(), "hundred-calls-"));
let arrived = 0;
let onArrived = () => undefined;
const receiver = createServer((request, response) => {
  request.resume().on("end", () => {
    response.end();
    arrived += 1;
    onArrived();
  });
});
const url = await listen(receiver);
const postrider = await createPostrider({
  store: `sqlite:${join(folder, "calls.db")}`,
  sources: [{ id: "web", writeKey: "a-write-key" }],
  destinations: [
    { id: "crm", sources: ["web"], endpoints: [{ url }], sharedSecret: "a shared secret of 32 characters" },
  ],
  network: { allow: ["127.0.0.0/8"] },
});
const server = createServer(postrider.nodeListener);
const track = `${await listen(server)}/v1/track`;
const headers = { "content-type": "application/json", authorization: `Basic ${btoa("a-write-key:")}` };

for (let number = 0; number < CALLS; number += 1) {
  const hasArrived = new Promise((resolve) => (onArrived = resolve));
  const body = JSON.stringify({ userId: `user-${number}`, event: "Counted", properties: { number } });
  const answer = await fetch(track, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}`);
  await answer.text();
  await hasArrived;
}
await postrider.close();
server.close();
server.closeAllConnections();
receiver.close();
receiver.closeAllConnections();
rmSync(folder, { recursive: true });
console.log(arrived);

async function listen(one) {
  await new Promise((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${one.address().port}`;
}
