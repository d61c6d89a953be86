import type { AudienceRecord, EpochMs } from "@postrider/core";
import {
  beginSync,
  endSync,
  isLeaseValid,
  snapshotOf,
  skipDestinations,
  releaseSync,
  startSending,
  resumeSync,
  advanceSync,
} from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { audience, CRM, MAIL } from "./builders.js";

const NOW = 50_000 as EpochMs;
const holder = { owner: "one", aliveAt: NOW };
const other = { owner: "two", aliveAt: NOW };

const collecting = beginSync(audience({ destinations: [CRM, MAIL], erased: 4 }), holder, 2);
const whole = { set: "s1", members: 3, left: [CRM, MAIL], erased: 4, entered: 2, departed: 1, changed: 4 };
const sending = startSending(collecting, whole);

const steps: Readonly<Record<string, (record: AudienceRecord) => AudienceRecord>> = {
  tell: (record) => advanceSync(record, { destinations: [CRM], upTo: null, asOf: 0 }),
  leave: (record) => skipDestinations(record, [CRM]),
  end: (record) => endSync(record, NOW),
};

describe("the steps of a sync", () => {
  it("begin with the upload of its members", () => {
    expect(collecting).toMatchObject({ syncs: 1, running: { kind: "collecting", ...holder, since: 2 } });
    expect(collecting.told).toEqual([]);
  });

  it("continue with sending", () => {
    expect({ erased: 4, ...sending.running }).toEqual({ kind: "sending", ...whole, ...holder });
    expect(sending.current).toBe("s1");
    expect(startSending(audience(), { ...whole, erased: 0 })).toEqual(audience());
  });

  it.each([3, 5])(
    "do not go on with a set that other requests were carried out in than in the others (%i)",
    (erased) => {
      expect(startSending(collecting, { ...whole, erased })).toEqual(collecting);
    },
  );

  it("advance the snapshots of destinations, and leave those that have not been sent everything", () => {
    const begun = advanceSync(sending, { destinations: [CRM, MAIL], upTo: "b", asOf: 4 });
    expect(begun.running).toMatchObject({ left: [CRM, MAIL] });
    expect(snapshotOf(sending, CRM)).toEqual({ destination: CRM, sync: 0, parts: [] });
    expect(advanceSync(sending, { destinations: [CRM], upTo: "b", asOf: 3 })).toEqual(sending);
    expect(begun.told).toEqual([
      { destination: CRM, sync: 0, parts: [{ set: "s1", upTo: "b" }] },
      { destination: MAIL, sync: 0, parts: [{ set: "s1", upTo: "b" }] },
    ]);
    const further = advanceSync(begun, { destinations: [CRM], upTo: null, asOf: 4 });
    expect(further.running).toMatchObject({ left: [MAIL] });
    expect(snapshotOf(further, CRM)).toEqual({ destination: CRM, sync: 1, parts: [{ set: "s1", upTo: null }] });
    expect(snapshotOf(further, MAIL)).toEqual({ destination: MAIL, sync: 0, parts: [{ set: "s1", upTo: "b" }] });
  });

  it("end early for a destination, and keep its snapshot", () => {
    const left = skipDestinations(sending, [MAIL]);
    expect(left.running).toMatchObject({ left: [CRM] });
    expect(left.told).toEqual(sending.told);
  });

  it("end with a report", () => {
    const counts = { entered: 2, departed: 1, changed: 4 };
    const ended = endSync(advanceSync(sending, { destinations: [CRM, MAIL], upTo: null, asOf: 4 }), NOW);
    expect(ended.running).toBeNull();
    expect(ended.last).toEqual({ sync: 1, members: 3, ...counts, endedAt: NOW });
  });

  it("change nothing in an audience that is not being sent", () => {
    for (const step of Object.values(steps)) {
      expect(step(audience())).toEqual(audience());
      expect(step(collecting)).toEqual(collecting);
    }
  });

  it("lose a released upload, and let a released sending be resumed at once", () => {
    expect(releaseSync(audience())).toEqual(audience());
    expect(releaseSync(collecting)).toEqual({ ...collecting, running: null });
    const released = releaseSync(sending);
    expect(released).toEqual({ ...sending, running: { ...sending.running, aliveAt: 0 } });
    expect(resumeSync(released, other).running).toEqual({ ...sending.running, ...other });
    expect(resumeSync(audience(), other)).toEqual(audience());
  });
});

describe("the lease of a sync", () => {
  it.each([
    [NOW, true],
    [NOW - 30_000, true],
    [NOW - 30_001, false],
    [0, false],
    // The clock was set back, so the instant means nothing.
    [NOW + 30_001, false],
  ])("that was renewed at %i is valid: %s", (aliveAt, isIt) => {
    expect(isLeaseValid({ owner: "one", aliveAt: aliveAt as EpochMs }, 30_000, NOW)).toBe(isIt);
  });
});
