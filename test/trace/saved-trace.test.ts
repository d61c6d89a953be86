// What a saved trace shows and hides, and how a trace is read that is cut, strange or from another version.

import { gunzipSync, gzipSync } from "node:zlib";
import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace } from "@postrider/relay/trace";
import { describe, expect, it } from "vitest";
import { playIncident, PRIVATE, recordAudiences } from "./rig.js";

describe("a saved trace", () => {
  it("shows no body, no user, no secret and no header value, but names, ids and places", async () => {
    const { bytes, events } = await playIncident({ seed: 11, calls: 40 });
    const text = gunzipSync(bytes).toString();
    const hidden = [...Object.values(PRIVATE), "user-3", "10.0.0.1", "Order Completed", "quite-secret", "wk_incident"];
    for (const one of [...hidden, "shared-secret-of-the-incident"]) expect(text).not.toContain(one);
    expect(text).not.toContain(Buffer.from(PRIVATE.user).toString("base64").slice(0, 12));
    expect(text).not.toContain(Buffer.from(PRIVATE.user).toString("hex"));
    expect(text).toContain("https://crm.example/hook?key=");
    expect(text).toContain('"lane-held"');
    expect(events.some(({ kind }) => kind === "deletion-finished")).toBe(true);
  });

  it("shows no member of an audience, no value of one, nor how far a destination was told, but its name", async () => {
    const deletion = { userIds: [PRIVATE.user], regulation: "delete-only" } as const;
    const text = gunzipSync(await recordAudiences((relay) => relay.requestDeletion(deletion))).toString();
    expect(text).toContain('"key":"vip"');
    expect(text).toMatch(/"upTo":"a/);
    expect(text).toContain('"audiences.read"');
    expect(text).toContain('"audiences.erase"');
    for (const one of [PRIVATE.user, PRIVATE.word, "member-"]) expect(text).not.toContain(one);
  });

  it("has bodies and users if it is asked to, but no secret", async () => {
    const { bytes } = await playIncident({ seed: 12, calls: 20, bodies: "full" });
    const text = gunzipSync(bytes).toString();
    expect(text).toContain(PRIVATE.user);
    expect(text).toContain("$base64");
    for (const one of [PRIVATE.header, "wk_incident", "shared-secret-of-the-incident"]) expect(text).not.toContain(one);
    const run = await replayTrace(await readTrace(bytes), (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
  });

  it("finds with full bodies what a run writes into one, and with digests only what changes its size", async () => {
    const renamed = async (bodies: "digest" | "full", name: string) => {
      const { bytes } = await playIncident({ seed: 13, calls: 10, bodies });
      const run = await replayTrace(await readTrace(bytes), (ports) => {
        const relay = createRelay(ports);
        return { ...relay, accept: (arrival: never) => relay.accept(withName(arrival, name)) };
      });
      return run.diverged?.story;
    };
    expect(await renamed("full", "Order Cancelled")).toContain("store.commit");
    expect(await renamed("digest", "Order Cancelled")).toBeUndefined();
    expect(await renamed("digest", "Order Was Cancelled")).toContain("$bytes");
  });

  it("is read up to its last whole segment if the file was cut", async () => {
    const { bytes } = await playIncident({ seed: 14, calls: 120, maxBytes: 800_000, isBusy: true });
    const whole = await readTrace(bytes);
    expect(whole.isCut).toBe(false);
    expect(whole.segments.length).toBeGreaterThan(1);
    const cut = await readTrace(bytes.subarray(0, bytes.length - 200));
    expect(cut.isCut).toBe(true);
    expect(cut.segments).toEqual(whole.segments.slice(0, -1));
    expect((await readTrace(bytes.subarray(0, 100))).segments).toEqual([]);
  });

  it("has no segment of which a turn is missing", async () => {
    const { bytes } = await playIncident({ seed: 15, calls: 5, isBusy: true });
    const lines = gunzipSync(bytes).toString().split("\n");
    expect((await readTrace(gzipSync(lines.join("\n")))).segments).toHaveLength(1);
    for (const missing of [1, 9]) {
      expect((await readTrace(gzipSync(lines.toSpliced(missing, 1).join("\n")))).segments).toHaveLength(0);
    }
  });

  it("is refused if it is something else, or of another version", async () => {
    const refusal = (bytes: Uint8Array) =>
      readTrace(bytes).then(
        () => "read",
        (error: unknown) => error,
      );
    expect(await refusal(Buffer.from("hello"))).toMatchObject({ code: "not-a-trace" });
    expect(await refusal(gzipSync("{}\n"))).toMatchObject({ code: "not-a-trace" });
    expect(await refusal(gzipSync('"postrider-trace"\n'))).toMatchObject({ code: "not-a-trace" });
    expect(await refusal(gzipSync('{"postrider-trace":2}\n'))).toMatchObject({ code: "unknown-version" });
  });
});

function withName(arrival: { readonly calls: readonly object[] }, event: string): never {
  return { ...arrival, calls: arrival.calls.map((call) => ("event" in call ? { ...call, event } : call)) } as never;
}
