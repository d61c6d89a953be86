import { expect, it } from "vitest";
import { createConsoleRig } from "./rig.js";

interface Listed {
  readonly deliveries: readonly { readonly id: string }[];
}

const idsIn = (body: unknown) => (body as Listed).deliveries.map(({ id }) => id);

it("people who look at the same list at once share one answer, for half a second", async () => {
  const rig = createConsoleRig();
  await rig.clock.advance(1_000);
  const cookie = await rig.logIn();
  const list = async (query = "") => idsIn((await rig.ask("GET", `/api/deliveries${query}`, { cookie })).body);
  expect(await list()).toEqual([]);
  const id = await rig.track();
  expect(await list()).toEqual([]);
  expect(await list("?limit=5")).toEqual([id]);
  await rig.clock.advance(500);
  expect(await list()).toEqual([id]);
});

it("a person who has changed something sees what came of it at once", async () => {
  const rig = createConsoleRig({ script: () => ({ kind: "answers", status: 422 }) });
  const cookie = await rig.logIn();
  const id = await rig.track();
  const list = async () => idsIn((await rig.ask("GET", "/api/deliveries", { cookie })).body);
  expect(await list()).toEqual([id]);
  const replayed = await rig.ask("POST", `/api/deliveries/${id}/replay`, { cookie, body: {} });
  expect(await list()).toEqual([(replayed.body as { readonly id: string }).id, id]);
});

it("a person who has looked at a message has changed nothing, so that the list is still shared", async () => {
  const rig = createConsoleRig();
  const cookie = await rig.logIn();
  const list = async () => idsIn((await rig.ask("GET", "/api/deliveries", { cookie })).body);
  const id = await rig.track();
  expect(await list()).toEqual([id]);
  await rig.track();
  expect((await rig.ask("POST", `/api/deliveries/${id}/message`, { cookie, body: {} })).status).toBe(200);
  expect(await list()).toEqual([id]);
});

it("the lanes are read anew each time, which costs little", async () => {
  const rig = createConsoleRig({ script: () => ({ kind: "hangs" }) });
  const cookie = await rig.logIn();
  const lanes = async () => (await rig.ask("GET", "/api/lanes", { cookie })).body;
  expect(await lanes()).toMatchObject({ lanes: [{ deliveries: 0 }] });
  await rig.track();
  expect(await lanes()).toMatchObject({ lanes: [{ deliveries: 1 }] });
});

it.each([
  [49, true],
  [50, false],
])("after %i other lists, a list is still shared: %s", async (others, isShared) => {
  const rig = createConsoleRig();
  const cookie = await rig.logIn();
  const list = async (limit: number) =>
    idsIn((await rig.ask("GET", `/api/deliveries?limit=${String(limit)}`, { cookie })).body);
  expect(await list(100)).toEqual([]);
  const id = await rig.track();
  for (let other = 1; other <= others; other += 1) await list(other);
  expect(await list(100)).toEqual(isShared ? [] : [id]);
});

it("a list is not shown to anyone without a login, though another person has just read it", async () => {
  const rig = createConsoleRig();
  await rig.ask("GET", "/api/deliveries", { cookie: await rig.logIn() });
  expect((await rig.ask("GET", "/api/deliveries")).status).toBe(401);
});
