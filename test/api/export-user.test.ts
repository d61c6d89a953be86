import { describe, expect, it } from "vitest";
import { MAX_EXPORTS } from "../../packages/http/src/api/export-user.js";
import { createRig, type Rig } from "./rig.js";

type Line = Readonly<Record<string, unknown>> & { readonly kind: string };

async function exportOf(rig: Rig, userId: string): Promise<readonly Line[]> {
  let text = "";
  for await (const piece of await rig.stream(`/api/users/${encodeURIComponent(userId)}/export`)) text += String(piece);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
}

const kindsOf = (lines: readonly Line[]) => lines.map(({ kind }) => kind);

/** A suppressed user `u1`, in an audience and with a trait, with deliveries; and another user. */
async function world() {
  const rig = createRig();
  await rig.post("/api/audiences", { name: "Big Spenders", destinations: ["crm"] });
  await rig.post("/api/audiences", { name: "Score", kind: "trait", destinations: ["crm"] });
  await rig.upload("big_spenders", '"u1"\n"u2"\n');
  await rig.upload("score", '{"userId":"u1","value":{"points":7}}\n');
  await rig.clock.advance(5_000);
  await rig.track({ userId: "u1", messageId: "m1" });
  await rig.track({ userId: "u2", messageId: "m2" });
  return rig;
}

describe("GET /api/users/ID/export", () => {
  it("shows deliveries with their messages, audiences and traits, and nothing of other users", async () => {
    const rig = await world();
    const lines = await exportOf(rig, "u1");
    const memberships = lines.filter(({ kind }) => kind === "membership");
    expect(memberships).toEqual([
      {
        kind: "membership",
        audience: { key: "big_spenders", name: "Big Spenders", kind: "audience" },
        isCurrent: true,
        destinations: ["crm"],
        value: null,
      },
      {
        kind: "membership",
        audience: { key: "score", name: "Score", kind: "trait" },
        isCurrent: true,
        destinations: ["crm"],
        value: { points: 7 },
      },
    ]);
    const messages = lines.flatMap(
      ({ delivery }) => (delivery as { readonly message?: object } | undefined)?.message ?? [],
    );
    expect(messages).toMatchObject([{ messageId: "m1" }, { traits: { score: { points: 7 } } }, { userId: "u1" }]);
    expect(JSON.stringify(lines)).not.toContain("u2");
    expect(lines.at(-1)).toEqual({ kind: "end", lines: 5 });
  });

  it("shows that a user is suppressed, and the requests that still name the user", async () => {
    const rig = createRig();
    const suppress = { userIds: ["u1", "u2"], regulation: "suppress-only" };
    const { body } = await rig.post("/api/deletions", suppress);
    const lines = await exportOf(rig, "u1");
    expect(kindsOf(lines)).toEqual(["suppression", "deletion-request", "end"]);
    expect(lines[1]).toMatchObject({ request: { id: (body as { readonly id: string }).id, users: 2 } });
    expect(JSON.stringify(lines)).not.toContain("u2");
    await rig.clock.advance(60_000);
    expect(kindsOf(await exportOf(rig, "u1"))).toEqual(["suppression", "end"]);
  });

  it("shows nothing of a user whose data was deleted, or whom it never saw", async () => {
    const rig = await world();
    await rig.post("/api/deletions", { userIds: ["u1"], regulation: "delete-only" });
    await rig.clock.advance(600_000);
    for (const userId of ["u1", "u3", "a/b c"])
      expect(await exportOf(rig, userId)).toEqual([{ kind: "end", lines: 0 }]);
  });

  it("shows what a destination was told of an earlier upload, where it was not told of the next one", async () => {
    const rig = await world();
    await rig.post("/api/audiences/big_spenders/destinations", { destinations: [] });
    await rig.upload("big_spenders", '"u2"\n', { confirmRemove: "1" });
    await rig.clock.advance(5_000);
    const [spender] = (await exportOf(rig, "u1")).filter(({ kind }) => kind === "membership");
    expect(spender).toMatchObject({ audience: { key: "big_spenders" }, isCurrent: false, destinations: ["crm"] });
  });

  it("goes on over pages, and finds each delivery once", async () => {
    const rig = createRig();
    for (let call = 0; call < 130; call += 1) await rig.track({ userId: "u1", messageId: `m${String(call)}` });
    const ids = (await exportOf(rig, "u1")).flatMap(
      ({ delivery }) => (delivery as { readonly id?: string } | undefined)?.id ?? [],
    );
    expect([ids.length, new Set(ids).size]).toEqual([130, 130]);
  });

  it("finds a suppressed user among thousands", async () => {
    const rig = createRig();
    const userIds = Array.from({ length: 4_500 }, (_, index) => `user-${String(index)}`);
    await rig.post("/api/deletions", { userIds, regulation: "suppress-only" });
    await rig.clock.advance(60_000);
    for (const userId of ["user-0", "user-4499", "user-2077"])
      expect(kindsOf(await exportOf(rig, userId))).toEqual(["suppression", "end"]);
    expect(kindsOf(await exportOf(rig, "user-4500"))).toEqual(["end"]);
  });

  it("breaks off where the store fails on the way, and gives its place back", async () => {
    let isFailing = false;
    const rig = createRig({
      wrap: (store) => ({
        ...store,
        list: (query) => (isFailing ? Promise.reject(new Error("gone")) : store.list(query)),
      }),
    });
    await rig.track({ userId: "u1" });
    isFailing = true;
    for (let time = 0; time < 10; time += 1) await expect(exportOf(rig, "u1")).rejects.toThrow("unavailable");
    isFailing = false;
    expect(kindsOf(await exportOf(rig, "u1"))).toEqual(["delivery", "end"]);
  });

  it("has no more under way than may be, also of requests that came together", async () => {
    const rig = await world();
    const streams = await Promise.all(Array.from({ length: 7 }, () => rig.stream("/api/users/u1/export")));
    const readers = streams.map((stream) => stream[Symbol.asyncIterator]());
    const begun = await Promise.allSettled(readers.map((reader) => reader.next()));
    expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_EXPORTS);
    expect(await rig.get("/api/users/u1/export")).toMatchObject({ status: 503 });
    for (const reader of readers) await reader.return?.();
    expect(kindsOf(await exportOf(rig, "u1")).at(-1)).toBe("end");
  });

  it("asks the store nothing more once the caller has left", async () => {
    const rig = createRig();
    const controller = new AbortController();
    controller.abort();
    const lines: string[] = [];
    for await (const piece of await rig.stream("/api/users/u1/export", controller.signal)) lines.push(String(piece));
    expect(lines).toEqual([]);
  });
});
