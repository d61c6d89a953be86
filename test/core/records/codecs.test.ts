// The codecs of records: whatever the texts in it, what is read back is what was written, by the key and the revision of the record.

import {
  type AudienceRecord,
  destinationId,
  epochMs,
  replayJobId,
  RECORD_KINDS,
  type StoredRecord,
} from "@postrider/core";
import {
  CURRENT_SETTINGS,
  decodeAudience,
  decodePause,
  decodeReplayJob,
  decodeSettings,
  decodeSettingsChange,
  defined,
  encodeAudience,
  encodePastSettings,
  encodePause,
  encodeReplayJob,
  encodeSettings,
  newReplayJob,
} from "@postrider/core/engine";
import { jsonValues, nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../property.js";

const instant = fc.nat({ max: 2 ** 53 - 1 }).map(epochMs);

/** The record as a store returns it, which keeps texts without U+0000 and lone surrogates alone. */
function stored(record: StoredRecord): StoredRecord {
  expect(RECORD_KINDS).toContain(record.kind);
  expect(record.text.isWellFormed() && !record.text.includes("\u0000")).toBe(true);
  return record;
}

describe("the codec of", () => {
  it("pauses returns the lane and the instant", () => {
    fc.assert(
      fc.property(nastyStrings(), instant, (lane, pausedAt) => {
        const pause = { lane: destinationId(lane), pausedAt };
        const record = stored(encodePause(pause));
        expect(record).toMatchObject({ kind: "pause", key: lane, revision: 1 });
        expect(decodePause(record)).toEqual(pause);
      }),
    );
  });

  it("replay jobs returns the job, and its tag is the state of the job", () => {
    fc.assert(
      fc.property(
        nastyStrings(),
        instant,
        fc.constantFrom("running", "done", "cancelled"),
        (after, createdAt, state) => {
          const job = {
            ...newReplayJob({ id: replayJobId("j"), createdAt, expected: 2, filter: { states: ["dead"] } }),
            state,
            after,
          };
          const record = stored(encodeReplayJob(job));
          expect(record).toMatchObject({ kind: "replay-job", key: "j", revision: job.revision, tag: state });
          expect(decodeReplayJob(record)).toEqual(job);
        },
      ),
    );
  });

  it("audiences returns the audience, at its key and revision", () => {
    fc.assert(
      fc.property(nastyStrings(), nastyStrings(), (name, upTo) => {
        const audience: AudienceRecord = {
          ...{ key: "vip", id: "aud", name, kind: "audience", sendsAs: "identify", destinations: [] },
          ...{ createdAt: epochMs(1), revision: 7, syncs: 1, running: null, last: null },
          told: [{ destination: destinationId("crm"), sync: 1, parts: [{ set: "s", upTo }] }],
        };
        const record = stored(encodeAudience(audience));
        expect(record).toMatchObject({ kind: "audience", key: "vip", revision: 7 });
        expect(decodeAudience(record)).toEqual(audience);
      }),
    );
  });

  it("settings returns the document unit by unit, whatever stands in it and in the name of the editor", () => {
    const documents = jsonValues().map((value) => JSON.stringify(value));
    const actors = fc.option(nastyStrings(), { nil: undefined });
    fc.assert(
      fc.property(documents, actors, instant, (document, actor, changedAt) => {
        const entry = { revision: 3, changedAt, ...defined({ actor }) };
        const revision = { ...entry, document };
        const record = stored(encodeSettings(revision));
        expect(record).toMatchObject({ kind: "settings", key: CURRENT_SETTINGS, revision: 3 });
        expect(decodeSettings(record)).toEqual(revision);
        const [text, change] = encodePastSettings(revision).map(stored);
        expect(text).toEqual({ kind: "settings-document", key: "3", revision: 1, text: document });
        expect(change && decodeSettingsChange(change)).toEqual(entry);
      }),
    );
  });
});
