// A relay that takes over in the same process knows what its former one has told, and what waits to be told.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type HttpRequest,
  type Reply,
  type Workspace,
} from "@postrider/core";
import { createManualClock, createMemoryDisk, createMemoryStore, createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { assembleRelay } from "../../../packages/relay/src/assemble-relay.js";
import { demandChecked } from "../../../packages/relay/src/checked-settings.js";
import { destination, track, url, WEBSITE } from "../rig.js";

const MINUTE = 60_000;

it("nothing is told twice or forgotten when another relay takes over", async () => {
  const clock = createManualClock();
  const disk = createMemoryDisk();
  const sent: HttpRequest[] = [];
  let isWell = false;
  const reply = ({ url: to }: HttpRequest): Reply => {
    const status = to === url("a") ? 410 : isWell ? 200 : 503;
    return { kind: "answered", status, afterMs: 0, excerpt: new Uint8Array(0) };
  };
  const workspace: Workspace = {
    sources: [{ id: WEBSITE, name: "website", writeKey: createSecret("wk") }],
    destinations: [destination("crm", ["a"])],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
    notify: [{ url: url("pager"), headers: [], secrets: [] }],
  };
  const options = {
    workspace,
    store: createMemoryStore({ disk }),
    http: { send: (request: HttpRequest) => (sent.push(request), Promise.resolve(reply(request))) },
    clock,
    random: createSeededRandom(1),
    gatherMs: 0,
  };
  const accept = async (relay: ReturnType<typeof assembleRelay>): Promise<void> => {
    const accepted = relay.accept({ source: WEBSITE, calls: [track()] });
    await clock.advance(10);
    expect((await accepted).isOk()).toBe(true);
  };
  const told = (): readonly string[] =>
    sent.filter((request) => request.url === url("pager")).map(({ body }) => new TextDecoder().decode(body));
  const checked = demandChecked(workspace)._unsafeUnwrap();

  const former = assembleRelay(options, checked);
  former.start();
  await accept(former);
  await clock.advance(5_000);
  expect(told()).toHaveLength(1);
  await accept(former);
  const state = former.remember();
  const retired = former.retire();
  await clock.advance(0);
  await retired;

  // As in a record: the state is plain data.
  const next = assembleRelay(options, checked, JSON.parse(JSON.stringify(state)) as typeof state);
  next.start();
  isWell = true;
  await clock.advance(10 * MINUTE);
  expect(told()).toHaveLength(2);
  expect(told()[1]).toBe(told()[0]);
  await clock.advance(6 * MINUTE);
  expect(
    told()
      .slice(2)
      .map((one) => (JSON.parse(one) as { places: { count: number }[] }).places[0]?.count),
  ).toEqual([1]);
  const stopped = next.stop();
  await clock.advance(0);
  await stopped;
});
