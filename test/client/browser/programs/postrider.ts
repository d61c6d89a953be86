// Runs in a page: our own client, as it is built.

import { type ClientOptions, createClient, type FlushReport, type CallOutcome } from "@postrider/client";
import type { CallMade } from "./call-made.js";

export interface Plan {
  readonly writeKey: string;
  readonly options: Pick<ClientOptions, "endpoint" | "gzip" | "flushAfterMs">;
}

export interface Called {
  readonly made: readonly CallMade[];
  readonly flushed: FlushReport;
  readonly undelivered: number;
}

/** Makes a call of each kind, flushes, makes another, and closes. */
export async function call({ writeKey, options }: Plan): Promise<Called> {
  const client = createClient(writeKey, options);
  const made = [
    idOf("identify", client.identify({ userId: "u1", traits: { plan: "pro" } })),
    idOf("track", client.track({ userId: "u1", event: "Signed Up", properties: { price: 1.5 } })),
    idOf("page", client.page({ userId: "u1", name: "Home", properties: { url: location.href } })),
    idOf("screen", client.screen({ anonymousId: "a1", name: "Inbox" })),
    idOf("group", client.group({ userId: "u1", groupId: "g1", traits: { size: 3 } })),
    idOf("alias", client.alias({ userId: "u1", previousId: "a1" })),
  ];
  const flushed = await client.flush();
  const last = idOf("track", client.track({ userId: "u1", event: "Left" }));
  const { undelivered } = await client.close();
  return { made: [...made, last], flushed, undelivered: undelivered.length };
}

/** Makes one call and leaves it to the client's own timers; resolves with its outcome. */
export async function callAndWait({ writeKey, options }: Plan): Promise<CallOutcome | undefined> {
  await using client = createClient(writeKey, options);
  const outcomes = client.outcomes();
  idOf("track", client.track({ userId: "u1", event: "Signed Up" }));
  const { value } = (await outcomes.next()) as IteratorResult<CallOutcome, undefined>;
  return value;
}

function idOf(type: string, called: ReturnType<ReturnType<typeof createClient>["track"]>): CallMade {
  return { type, messageId: called.kind === "ok" ? called.messageId : `refused: ${called.code}` };
}
