import type { EndpointId, HttpRequest, Reply } from "@postrider/core";
import { createManualClock, createScriptedHttp } from "@postrider/memory";
import { describe, expect, it } from "vitest";

const URL_A = "https://a.example/hook" as EndpointId;
const URL_B = "https://b.example/hook" as EndpointId;

function request(given: Partial<HttpRequest> = {}): HttpRequest {
  return { url: URL_A, headers: [["X-Team", "growth"]], body: Uint8Array.of(1, 2, 3), timeoutMs: 5_000, ...given };
}

describe("scripted receivers", () => {
  it("answer as the script says, when the clock says", async () => {
    const clock = createManualClock();
    const http = createScriptedHttp({
      clock,
      script: () => ({ kind: "answers", status: 503, afterMs: 120, retryAfter: "7", excerpt: Uint8Array.of(9) }),
    });
    let reply: Reply | undefined;
    void http.send(request()).then((came) => (reply = came));
    await clock.advance(119);
    expect(reply).toBeUndefined();
    await clock.advance(1);
    const excerpt = Uint8Array.of(9);
    expect(reply).toEqual({ kind: "answered", status: 503, afterMs: 120, retryAfter: "7", excerpt });
  });

  it("answer at once if the script gives no time, without a move of the clock", async () => {
    const http = createScriptedHttp({ clock: createManualClock(), script: () => ({ kind: "answers", status: 204 }) });
    const excerpt = new Uint8Array();
    expect(await http.send(request())).toEqual({ kind: "answered", status: 204, afterMs: 0, excerpt });
  });

  it("give no excerpt with a success, and at most 4,096 bytes of one otherwise", async () => {
    const excerpt = new Uint8Array(5_000).fill(7);
    const http = createScriptedHttp({
      clock: createManualClock(),
      script: { [URL_A]: [200, 299, 199, 300].map((status) => ({ kind: "answers", status, excerpt }) as const) },
    });
    const lengths: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const reply = await http.send(request());
      lengths.push(reply.kind === "answered" ? reply.excerpt.length : -1);
    }
    expect(lengths).toEqual([0, 0, 4_096, 4_096]);
  });

  it("time out at the deadline, whether they hang or are merely late", async () => {
    const clock = createManualClock();
    const late = { kind: "answers", status: 200, afterMs: 301 } as const;
    const http = createScriptedHttp({ clock, script: { [URL_A]: { kind: "hangs" }, [URL_B]: late } });
    const replies = Promise.all([URL_A, URL_B].map((url) => http.send(request({ url, timeoutMs: 300 }))));
    await clock.advance(300);
    const timeout = { kind: "silent", fault: "timeout", afterMs: 300 };
    expect(await replies).toEqual([timeout, timeout]);
  });

  it("give each URL its replies in turn, and then repeat the last", async () => {
    const http = createScriptedHttp({
      clock: createManualClock(),
      script: {
        [URL_A]: [
          { kind: "fails", fault: "dns" },
          { kind: "answers", status: 200 },
        ],
      },
    });
    const seen: unknown[] = [];
    for (let time = 0; time < 3; time += 1) {
      const reply = await http.send(request());
      seen.push(reply.kind === "answered" ? reply.status : reply.fault);
    }
    expect(seen).toEqual(["dns", 200, 200]);
  });

  it("refuse connections to a URL that the script does not name, whatever it is called", async () => {
    const http = createScriptedHttp({ clock: createManualClock(), script: { [URL_A]: [] } });
    for (const url of [URL_A, URL_B, "constructor", "__proto__"] as EndpointId[]) {
      expect(await http.send(request({ url }))).toEqual({ kind: "silent", fault: "connection-refused", afterMs: 0 });
    }
  });

  it("keep every request as it was sent, whatever its sender does with the bytes", async () => {
    const clock = createManualClock();
    const http = createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200 }) });
    const body = Uint8Array.of(1, 2, 3);
    await http.send(request({ body }));
    body.fill(0);
    await clock.advance(40);
    await http.send(request({ url: URL_B }));
    await http.send(request());
    const sent = http.requests();
    expect(sent.map(({ url, index }) => [url, index])).toEqual([
      [URL_A, 0],
      [URL_B, 0],
      [URL_A, 1],
    ]);
    expect(sent[0]).toMatchObject({ headers: [["X-Team", "growth"]], body: Uint8Array.of(1, 2, 3) });
    expect((sent[1]?.sentAt ?? 0) - (sent[0]?.sentAt ?? 0)).toBe(40);
  });
});
