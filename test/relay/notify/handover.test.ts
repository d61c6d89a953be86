// A relay that takes over in the same process knows what its former one has told, and what waits to be told.

import { expect, it } from "vitest";
import { url } from "../rig.js";
import { createTakeover } from "../takeover.js";

const MINUTE = 60_000;

it("nothing is told twice or forgotten when another relay takes over", async () => {
  let isWell = false;
  const { clock, sent, accept, takeOver, stop } = createTakeover(
    ({ url: to }) => (to === url("a") ? 422 : isWell ? 200 : 503),
    { notify: [{ url: url("pager"), headers: [], secrets: [] }] },
  );
  const sentBodies = (): readonly string[] =>
    sent.filter((request) => request.url === url("pager")).map(({ body }) => new TextDecoder().decode(body));

  await accept();
  await clock.advance(5_000);
  expect(sentBodies()).toHaveLength(1);
  await accept();
  await takeOver();
  isWell = true;
  await clock.advance(10 * MINUTE);
  expect(sentBodies()).toHaveLength(2);
  expect(sentBodies()[1]).toBe(sentBodies()[0]);
  await clock.advance(6 * MINUTE);
  expect(
    sentBodies()
      .slice(2)
      .map((one) => (JSON.parse(one) as { places: { count: number }[] }).places[0]?.count),
  ).toEqual([1]);
  await stop();
});
