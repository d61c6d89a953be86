// Streams at the console: one person leaves some to others.

import { createRecentEvents } from "@postrider/http/api";
import type { AnswerStream } from "@postrider/http";
import { describe, expect, it } from "vitest";
import { TOKEN, VIEWER_TOKEN } from "../canary.js";
import { request } from "../http/request.js";
import { createManualClock } from "@postrider/memory";
import { createConsoleRig, FROM_PAGE } from "./rig.js";

const MAX_STREAMS_PER_PERSON = 25;

function createStreamRig() {
  const events = createRecentEvents(createManualClock());
  const rig = createConsoleRig({ console: { events } });
  const ask = async (cookie: string) =>
    rig.console(request("GET", "/api/events", { headers: { ...FROM_PAGE, cookie } }));
  /** Begins to read a stream; what ends that, or the status of a refusal. */
  const read = async (cookie: string): Promise<number | (() => Promise<unknown>)> => {
    const { status, body } = await ask(cookie);
    if (status !== 200) return status;
    const pieces = (body as AnswerStream)(new AbortController().signal)[Symbol.asyncIterator]();
    const { done } = await pieces.next();
    return done === true ? 0 : () => pieces.return!();
  };
  return { ...rig, ask, read };
}

describe("streams of one person", () => {
  it("leave those of the process to others, and are free again once they end", async () => {
    const rig = createStreamRig();
    const [viewer, operator] = [await rig.logIn(VIEWER_TOKEN), await rig.logIn(TOKEN)];
    const leave = [];
    for (let index = 0; index < MAX_STREAMS_PER_PERSON; index += 1) leave.push(await rig.read(viewer));
    expect(leave.every((one) => typeof one === "function")).toBe(true);
    expect(await rig.read(viewer)).toBe(503);
    expect(await rig.read(operator)).toBeTypeOf("function");
    await (leave[0] as () => Promise<unknown>)();
    expect(await rig.read(viewer)).toBeTypeOf("function");
  });

  it("are bounded for requests that come together, too", async () => {
    const rig = createStreamRig();
    const viewer = await rig.logIn(VIEWER_TOKEN);
    const answers = await Promise.all(Array.from({ length: 40 }, () => rig.ask(viewer)));
    const read = answers.map(({ body }) =>
      (body as AnswerStream)(new AbortController().signal)[Symbol.asyncIterator](),
    );
    const begun = await Promise.all(read.map((pieces) => pieces.next()));
    expect(begun.filter(({ done }) => done !== true)).toHaveLength(MAX_STREAMS_PER_PERSON);
  });
});
