// Callers without a key, from a separate address and process: bodies that stop before their end, heads without a body, and
// small bodies with a large unzipped size. Each form is bounded in connections and in dials per second.

import { connect } from "node:net";
import { gzipSync } from "node:zlib";

const [host, port] = [process.argv[2], Number(process.argv[3])];
const FROM = "127.0.0.66";
const BARE_HEADS = 1_100;
const BOMBS = 16;
/** Dials of a form in each tick: dropped connections are dialled again, at most 1,000 per second. */
const DIALS = 50;
const TICK_MS = 50;

const BOMB = gzipSync("[".repeat(255_000));
/** All but the last byte of bodies that together are as long as the server holds at once. */
const SLOW_BODIES = [...Array.from({ length: 131 }, () => 512_000), 36_000, 800].map((length) =>
  request(length, "x".repeat(length - 1)),
);
const FORMS = [
  SLOW_BODIES,
  Array(BARE_HEADS).fill(request(512_000, "")),
  Array(BOMBS).fill(request(BOMB.length, BOMB)),
].map((requests) => ({ waiting: [...requests], open: new Map() }));

let isOn = false;
let dials = 0;
const timer = setInterval(() => {
  if (isOn) FORMS.forEach(redial);
}, TICK_MS);

process.on("message", (word) => {
  isOn = word === "start";
  if (!isOn) for (const { open } of FORMS) for (const socket of open.keys()) socket.destroy();
  process.send({ dials });
});
process.on("disconnect", () => {
  clearInterval(timer);
  process.exit(0);
});

function redial({ waiting, open }) {
  for (const bytes of waiting.splice(0, DIALS)) {
    const socket = connect({ host, port, localAddress: FROM });
    dials += 1;
    open.set(socket, bytes);
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("connect", () => socket.write(bytes));
    socket.on("close", () => {
      open.delete(socket);
      waiting.push(bytes);
    });
  }
}

function request(length, body) {
  const head = `POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
