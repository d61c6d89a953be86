// Plays the calls and batches of the corpus through ingest, each as a Web-standard request.

import { createIngest, createWebHandler } from "@postrider/http/ingest";
import type { SimulatedHost } from "@postrider/simulator/simulated-host";
import { describe, expect, it } from "vitest";
import { look, WRITE_KEY } from "../../canary.js";
import { CALL_FILES, type CallCase, type CallVerdict, CANARY, readCorpus } from "./corpus.js";
import { expectFields } from "./expect-fields.js";
import { bytesOf, valueOf } from "./parts.js";
import { type Message, openWorld, soundDeliveries } from "./world.js";

const TOO_MUCH = ["too-large", "batch-too-large", "too-many-calls"];

const MAX_TURNS = 1_000;

interface Heard {
  readonly status: number;
  readonly text: string;
}

describe.each(CALL_FILES)("the corpus: %s", (file) => {
  it.each(readCorpus<CallCase>(file).cases)("$name", async (one) => {
    const world = openWorld(one.destination === undefined ? {} : { name: one.destination });
    const heard = await post(world, one);
    expect(heard.text).not.toContain(CANARY);
    expectAnswer(heard, one.expect);
    expectMessages(await soundDeliveries(world), one.expect);
  });
});

async function post(world: SimulatedHost, { kind, call, text }: CallCase): Promise<Heard> {
  const handle = createWebHandler(createIngest({ relay: world.relay(), clock: world.clock }));
  const body = new Uint8Array(text === undefined ? Buffer.from(JSON.stringify(valueOf(call))) : bytesOf(text));
  const headers = { Authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` };
  const request = new Request(`http://localhost/v1/${kind}`, { method: "POST", body, headers });
  const response = await answered(world, handle(request));
  const answer = await response.text();
  look("an answer", answer);
  return { status: response.status, text: answer };
}

/** A large request is processed in slices, and the clock has to move between them. */
async function answered<T>(world: SimulatedHost, answer: Promise<T>): Promise<T> {
  const watched = { isAnswered: false };
  const settled = answer.finally(() => (watched.isAnswered = true));
  for (let turn = 0; turn < MAX_TURNS && !watched.isAnswered; turn += 1) await world.clock.advance(0);
  return settled;
}

function expectAnswer({ status, text }: Heard, verdict: CallVerdict): void {
  const answer: unknown = JSON.parse(text);
  switch (verdict.verdict) {
    case "refused": {
      const { code, path } = verdict;
      expect(answer).toMatchObject({ success: false, error: { code } });
      expect((answer as { error: { path?: string } }).error.path === valueOf(path)).toBe(true);
      expect(status).toBe(TOO_MUCH.includes(code) ? 413 : 400);
      return;
    }
    case "answered": {
      const { accepted, duplicates } = verdict;
      const rejected = verdict.rejected.map(({ index, code, path }) => ({ index, code, path: valueOf(path) }));
      expect(status).toBe(200);
      expect(answer).toMatchObject({ success: true, accepted, duplicates, rejected });
      return;
    }
    case "delivered":
    case "filtered":
      expect({ status, answer }).toMatchObject({ status: 200, answer: { success: true } });
  }
}

function expectMessages(messages: readonly Message[], verdict: CallVerdict): void {
  switch (verdict.verdict) {
    case "refused":
    case "filtered":
      expect(messages).toHaveLength(0);
      return;
    case "answered":
      expect(messages).toHaveLength(verdict.requests ?? verdict.accepted);
      return;
    case "delivered":
      expect(messages).toHaveLength(1);
      expectFields(messages[0]!, verdict);
  }
}
