// GET /api/audiences and GET /api/audiences/KEY: what audiences there are, and how their syncs fare.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "../refuse.js";
import { noAudienceAnswer } from "./create-audience.js";
import { describeAudience } from "./describe-audience.js";
import type { SyncBook } from "./progress-by-audience.js";

/** Answers `{ audiences }`, in the order of their keys. */
export async function listAudiences(relay: Pick<Relay, "audiences">, book: SyncBook): Promise<Answer> {
  return relay
    .audiences()
    .match(
      (records) =>
        jsonAnswer(200, { audiences: records.map((record) => describeAudience(record, book.progressOf(record.key))) }),
      faultAnswer,
    );
}

/** Answers what a list shows of it. */
export async function showAudience(relay: Pick<Relay, "audience">, book: SyncBook, key: string): Promise<Answer> {
  return relay
    .audience(key)
    .match(
      (record) =>
        record === undefined ? noAudienceAnswer() : jsonAnswer(200, describeAudience(record, book.progressOf(key))),
      faultAnswer,
    );
}
