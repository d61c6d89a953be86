// Answers whose body comes in pieces, as every body does that is longer than a read or written in steps: the excerpt is of
// all pieces in their order, up to its limit.

import type { ServerResponse } from "node:http";
import { expectEqual } from "../check.js";
import { LONG } from "./answering.js";
import { expectAnswer, type HttpCase, type HttpScene } from "./scene.js";

/** The lengths of the pieces: the longest ones come last and cross the limit of the excerpt. */
const SHORT_PIECES: readonly number[] = Array.from({ length: 20 }, (_, index) => index + 1);
const LONG_PIECES: readonly number[] = [...SHORT_PIECES, 3_800, 200, 1_000];

/** Long enough that each piece is read before the next is written, unless the machine pauses. */
const BETWEEN_PIECES_MS = 10;

export const PIECES_CASES: readonly HttpCase[] = [
  {
    name: "keeps all of a short failed answer that comes in pieces, in their order",
    play: (scene) => expectExcerpt(scene, SHORT_PIECES),
  },
  {
    name: "keeps the first 4,096 bytes of a long failed answer that comes in pieces",
    play: (scene) => expectExcerpt(scene, LONG_PIECES),
  },
];

async function expectExcerpt(scene: HttpScene, lengths: readonly number[]): Promise<void> {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const receiver = await scene.serve((response) => {
    response.writeHead(500);
    void writeInPieces(scene, response, lengths);
  });
  const { excerpt } = expectAnswer(await scene.send(receiver.url()));
  expectEqual(new TextDecoder().decode(excerpt), LONG.slice(0, Math.min(total, 4_096)), "the excerpt");
}

async function writeInPieces(scene: HttpScene, response: ServerResponse, lengths: readonly number[]): Promise<void> {
  let from = 0;
  for (const length of lengths) {
    response.write(LONG.slice(from, from + length));
    from += length;
    await scene.wait(BETWEEN_PIECES_MS);
  }
  response.end();
}
