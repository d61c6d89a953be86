import { epochMs } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { diagnoseDestination, failuresIn } from "../../../../packages/postrider/src/cli/doctor/find-failures.js";

const NOW = epochMs(Date.parse("2026-01-31T12:10:00.000Z"));

/** A delivery as a list has it, the newest with the highest id. */
function row(id: number, changes: object = {}) {
  return { id: String(id), state: "waiting", reason: null, detail: "503", attemptCount: 1, ...changes };
}

const untried = (id: number) => row(id, { detail: null, attemptCount: 0 });
const arrived = (id: number) => row(id, { state: "delivered", detail: "200" });
const ids = (rows: Parameters<typeof failuresIn>[0]) => failuresIn(rows).map(({ id }) => id);

describe("the deliveries that show that a destination fails", () => {
  it("are those after the last that arrived, without those that were not tried", () => {
    expect(ids([untried(5), row(4), row(3), arrived(2), row(1)])).toEqual(["4", "3"]);
    expect(ids([row(2, { state: "dead", reason: "expired" }), row(1, { state: "claimed" })])).toEqual(["2", "1"]);
    expect(ids([row(2, { state: "dead", reason: "refused", detail: "404" }), arrived(1)])).toEqual(["2"]);
  });

  it("are none if the last has arrived, or none was tried", () => {
    expect(ids([untried(3), arrived(2), row(1)])).toEqual([]);
    expect(ids([untried(2), untried(1)])).toEqual([]);
    expect(ids([])).toEqual([]);
  });

  it("are not those that the operator ended", () => {
    for (const reason of ["purged", "lane-full", "destination-removed"])
      expect(ids([row(2, { state: "dead", reason }), arrived(1)])).toEqual([]);
  });

  it("are those that our own address policy refuses, though no attempt is made", () => {
    expect(ids([row(1, { detail: "forbidden-address", attemptCount: 0 })])).toEqual(["1"]);
  });
});

describe("a destination that fails", () => {
  const attempt = (startedAt: string, status: number | null, fault: string | null = null) => ({
    startedAt: `2026-01-31T12:${startedAt}.000Z`,
    status,
    fault,
    verdict: "retry",
  });

  it("is told with its last answers, how long it fails, and the command that shows more", () => {
    const oldest = { ...row(3), attempts: [attempt("00:00", 500), attempt("09:00", null, "timeout")] };
    const newest = { ...row(9), attempts: [attempt("08:00", 503)] };
    expect(diagnoseDestination("crm", { newest, oldest, isTriedAgain: true }, NOW)).toEqual({
      kind: "bad",
      text: "crm has failed for 10 min 0 s: its last answers are 500, 503, timeout; see postrider show 9",
    });
  });

  it("is told with the last three answers, and those of one delivery once", () => {
    const one = {
      ...row(1),
      attempts: ["01", "02", "03", "04"].map((minute, at) => attempt(`${minute}:00`, 500 + at)),
    };
    expect(diagnoseDestination("crm", { newest: one, oldest: one, isTriedAgain: true }, NOW).text).toContain(
      "for 9 min 0 s: its last answers are 501, 502, 503;",
    );
    const first = { ...row(1), attempts: [attempt("09:30", null, "connection-refused")] };
    expect(diagnoseDestination("crm", { newest: first, oldest: first, isTriedAgain: true }, NOW).text).toBe(
      "crm has failed for 30.0 s: its last answer is connection-refused; see postrider show 1",
    );
  });

  it("is told by the last detail if no attempt is recorded, with what allows a forbidden address", () => {
    const forbidden = {
      ...row(1, { detail: "forbidden-address", acceptedAt: "2026-01-31T12:00:00.000Z" }),
      attempts: [],
    };
    expect(diagnoseDestination("crm", { newest: forbidden, oldest: forbidden, isTriedAgain: true }, NOW).text).toBe(
      "crm has failed for 10 min 0 s: its last answer is forbidden-address, and network.allow can allow its range; " +
        "see postrider show 1",
    );
  });

  describe("whose last failure is final", () => {
    const dead = { ...row(7, { state: "dead", reason: "refused" }), attempts: [attempt("00:00", 404)] };
    const after = (ms: number, isTriedAgain = false) =>
      diagnoseDestination("crm", { newest: dead, oldest: dead, isTriedAgain }, epochMs(NOW - 600_000 + ms));

    it("is bad for an hour", () => {
      expect(after(3_600_000)).toEqual({
        kind: "bad",
        text: "crm has failed for 1 h 0 min: its last answer is 404; see postrider show 7",
      });
    });

    it("is bad by its last attempt, not by its first", () => {
      const oldest = { ...dead, id: "1" };
      const newest = { ...dead, attempts: [attempt("50:00", 404)] };
      const now = epochMs(NOW + 5_400_000);
      expect(diagnoseDestination("crm", { newest, oldest, isTriedAgain: false }, now)).toEqual({
        kind: "bad",
        text: "crm has failed for 1 h 40 min: its last answers are 404, 404; see postrider show 7",
      });
    });

    it("is left to the operator then, who can test it", () => {
      expect(after(270_000_000)).toEqual({
        kind: "open",
        text:
          "crm failed 3 d 3 h ago, and got nothing since: its last answer is 404; see postrider show 7; " +
          "postrider test crm tells whether it works now",
      });
      expect(after(3_600_001).kind).toBe("open");
    });

    it("is bad as long as another delivery is tried again", () => {
      expect(after(270_000_000, true).kind).toBe("bad");
    });
  });
});
