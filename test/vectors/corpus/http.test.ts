// Plays the requests of the corpus over real sockets against a real node:http server before the real relay.

import { once } from "node:events";
import { createIngest } from "@postrider/http/ingest";
import { describe, expect, it } from "vitest";
import { serving, type Serving } from "../../http/serving.js";
import { CANARY, type HttpCase, readCorpus } from "./corpus.js";
import { bytesOfRequests, type HttpAnswer, readAnswers } from "./http-exchange.js";
import { openWorld, soundDeliveries } from "./world.js";

describe("the corpus: http", () => {
  it.each(readCorpus<HttpCase>("http").cases)("$name", async (one) => {
    const world = openWorld();
    await serving(createIngest({ relay: world.relay(), clock: world.clock }), async (served) => {
      const answers = await play(served, one);
      expect(answers.map(({ status }) => status)).toEqual(one.expect.answers.map(({ status }) => status));
      for (const [index, answer] of answers.entries()) expectAnswer(answer, one.expect.answers[index]);
      expect(await soundDeliveries(world)).toHaveLength(one.expect.accepted);
      expect((await world.relay().stats())._unsafeUnwrap().accepted).toBe(one.expect.accepted);
    });
  });
});

async function play(served: Serving, one: HttpCase): Promise<readonly HttpAnswer[]> {
  const socket = await served.connect();
  if (one.then === "hang up") {
    const left = once(served.server, "request").then(([, response]) => once(response, "close"));
    socket.write(bytesOfRequests(one));
    await once(served.server, "request");
    socket.destroy();
    await left;
    return [];
  }
  const answers = readAnswers(socket, JSON.stringify(one.requests).includes('"HEAD '));
  socket.write(bytesOfRequests(one));
  return answers;
}

function expectAnswer(answer: HttpAnswer, expected: HttpCase["expect"]["answers"][number] | undefined): void {
  expect(answer.body).not.toContain(CANARY);
  expect([...answer.headers.values()].join()).not.toContain(CANARY);
  if (expected?.code === undefined) return;
  expect(answer.headers.get("content-type")).toBe("application/json");
  const { error } = JSON.parse(answer.body) as { error: { code: string; path?: string } };
  expect({ code: error.code, path: error.path }).toEqual({ code: expected.code, path: expected.path });
}
