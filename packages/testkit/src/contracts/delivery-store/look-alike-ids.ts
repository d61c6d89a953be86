// Cases of look-alikes of tokens, endpoints, details and deletion requests, and of the ids and cursors that the store
// itself has made.

import { leaseToken, endpointId, MAX_URL_LENGTH, type DeletionId, deletionId, deliveryId } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { failAsOne, lookAlikes, expectEachItself, showText } from "../look-alikes.js";
import { claimedDelivery, DELIVERED, attempt, bytes, rescheduledOutcome } from "./samples.js";
import { LEASE_MS, type StoreCase, type Scene } from "./scene.js";
import { listAll } from "./pages.js";
import { deletionScene } from "./users.js";

const TOKENS = lookAlikes().map((token) => leaseToken(token));

export const LOOK_ALIKE_TOKEN_CASES: readonly StoreCase[] = [
  {
    name: "a token settles its own deliveries, and none of a token that looks alike",
    async play(scene) {
      const ids = [];
      for (const token of TOKENS) {
        const accept = [scene.message({ deliveries: [claimedDelivery(scene.lane)] })];
        const lease = { token, leaseMs: LEASE_MS };
        const { accepted } = await scene.commit({ accept, lease });
        ids.push(...accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : [])));
      }
      const delivered = { outcome: DELIVERED, attempts: [], endpoints: [] };
      const pairs = ids.flatMap((id, place) => TOKENS.map((token, other) => ({ id, token, place, other })));
      const wrongPairs = pairs.filter(({ place, other }) => place !== other);
      const { settled: answers } = await scene.commit({
        settle: wrongPairs.map(({ id, token }) => ({ id, token, ...delivered })),
      });
      const settledPair = wrongPairs[answers.findIndex((answer) => answer !== "stale")];
      if (settledPair !== undefined) failAsOne(TOKENS[settledPair.place] ?? "", settledPair.token, "a token");
      const settle = ids.flatMap((id, place) =>
        TOKENS.slice(place, place + 1).map((token) => ({ id, token, ...delivered })),
      );
      const { settled } = await scene.commit({ settle });
      const staleToken = TOKENS[settled.findIndex((answer) => answer !== "settled")];
      expectEqual(staleToken, undefined, "a token that does not settle its own delivery");
    },
  },
];

export const LOOK_ALIKE_REST_CASES: readonly StoreCase[] = [
  {
    name: "an endpoint is distinct from all that look alike: its attempts and its state",
    async play(scene) {
      const endpoints = lookAlikes(MAX_URL_LENGTH).map((url) => endpointId(url));
      const states = endpoints.map((endpoint, index) => ({
        endpoint,
        refused: index % 2 === 1,
        excerpt: bytes(String(index)),
      }));
      const attempts = endpoints.map((endpoint, index) => attempt(scene.later(index), { endpoint }));
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts, endpoints: states });
      const record = await scene.record(id);
      const byEndpoint = new Map(record.endpoints.map((state) => [state.endpoint, state]));
      const entries = endpoints.map((endpoint, index) => {
        const { excerpt } = byEndpoint.get(endpoint) ?? {};
        const place = excerpt === undefined ? index : Number(new TextDecoder().decode(excerpt));
        return [endpoint, byEndpoint.has(endpoint) ? [endpoints[place] ?? ""] : []] as const;
      });
      expectEachItself(new Map(entries), "an endpoint");
      for (const state of states) expectEqual(byEndpoint.get(state.endpoint), state, "the state of an endpoint");
      expectEqual(record.endpoints.length, states.length, "how many endpoints are found");
      expectEqual(record.attempts, attempts, "the attempts");
      const claimedEndpoints = (await scene.claimOne()).endpoints;
      expectEqual(
        claimedEndpoints.map(({ endpoint }) => endpoint).toSorted(),
        endpoints.toSorted(),
        "the endpoints as claimed",
      );
    },
  },
  {
    name: "a detail comes back as it was given",
    async play(scene) {
      const details = ["", ...lookAlikes()];
      const accept = details.map(() => scene.message({ deliveries: [claimedDelivery(scene.lane)] }));
      const { accepted } = await scene.commit({ accept });
      const ids = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      const token = scene.commitToken();
      const settle = ids.map((id, index) => {
        return { id, token, outcome: { kind: "delivered", detail: details[index] ?? "" }, ...NO_ATTEMPTS } as const;
      });
      await scene.commit({ settle });
      const detailById = new Map((await listAll(scene)).map(({ id, detail }) => [id, detail]));
      for (const [index, detail] of details.entries()) {
        const id = expectPresent(ids[index], "the id of a delivery");
        expectEqual((await scene.record(id)).detail, detail, `the detail ${showText(detail)} as found`);
        expectEqual(detailById.get(id), detail, `the detail ${showText(detail)} as listed`);
      }
    },
  },
];

const NO_ATTEMPTS: { readonly attempts: readonly []; readonly endpoints: readonly [] } = {
  attempts: [],
  endpoints: [],
};

export const LOOK_ALIKE_REQUEST_CASES: readonly StoreCase[] = [
  {
    name: "a deletion request is distinct from all that look alike: its users, its place in the list, its notices",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user } = deletionScene(scene);
      // Names are used once: what looks alike stands once before what is particular to this run, and once behind it.
      const ids = lookAlikes().flatMap((text) => [deletionId(`${text}${deletion("")}`), deletion(text)]);
      const regulation = "unsuppress";
      for (const [index, id] of ids.entries())
        await deletions().open({ id, regulation, userIds: [user(String(index))], sources: null }, scene.now());
      const foundIds = new Map<string, readonly string[]>();
      for (const id of ids) {
        const { userIds = [] } = (await deletions().find(id)) ?? {};
        foundIds.set(
          id,
          userIds.map((userId) => ids[Number(userId.slice(user("").length))] ?? userId),
        );
      }
      expectEachItself(foundIds, "a deletion request");
      expectEqual(await listBehind(scene, ids.length), ids.toReversed(), "the list of requests, newest first");

      const accept = ids.map((id, index) => scene.message({ type: "delete", deletion: id, messageId: String(index) }));
      await scene.commit({ accept });
      for (const id of ids) {
        const { notices = [] } = (await deletions().find(id)) ?? {};
        expectEqual(
          notices,
          [{ source: scene.source, stored: 1, delivered: 0, dead: 0 }],
          `the notices of ${showText(id)}`,
        );
      }
    },
  },
  {
    name: "the id of a delivery is found, replayed and settled as it is, and not as what looks alike",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      const lateAttempt = attempt(scene.now(), { round: 9 });
      for (const disguise of disguisesOf(id).map((text) => deliveryId(text))) {
        const label = `what looks like the delivery ${showText(id)}: ${showText(disguise)}`;
        expectThat((await scene.store().find(disguise)) === undefined, `${label} is found`);
        const { replayed, appended, settled } = await scene.commit({
          replay: [{ of: disguise, start: { kind: "waiting", dueAt: scene.now() } }],
          append: [{ id: disguise, attempt: lateAttempt }],
          settle: [{ id: disguise, token: scene.commitToken(), outcome: DELIVERED, ...NO_ATTEMPTS }],
        });
        expectEqual([replayed[0], appended[0], settled[0]], [undefined, "gone", "stale"], label);
      }
    },
  },
  {
    name: "what looks like a cursor finds nothing",
    async play(scene) {
      for (let count = 0; count < 3; count += 1) await scene.accept();
      const { source } = scene;
      const { next } = await scene.store().list({ source, limit: 1 });
      const cursor = expectPresent(next, "the cursor of a page that does not show all");
      for (const after of disguisesOf(cursor)) {
        const page = await scene.store().list({ source, after, limit: 5 });
        expectEqual(page, { deliveries: [] }, `the page behind ${showText(after)}, which is not ${showText(cursor)}`);
      }
    },
  },
];

/** Texts that careless code takes for a text made by a store. None of them can be another text of the same store. */
function disguisesOf(text: string): readonly string[] {
  return [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `\t${text}`,
    `+${text}`,
    `${text}.0`,
    `${text}e0`,
    `${text}\u0000`,
    `${text}'`,
    `%${text}`,
    `${text}%`,
  ];
}

/** The newest requests, page by page, each page behind the last request of the one before. */
async function listBehind(scene: Scene, count: number): Promise<readonly DeletionId[]> {
  const { deletions } = deletionScene(scene);
  const ids: DeletionId[] = [];
  for (let after = {}; ids.length < count; after = { after: ids.at(-1) }) {
    const page = await deletions().list({ limit: 7, ...after });
    if (page.deletions.length === 0) return ids;
    ids.push(...page.deletions.map(({ id }) => id));
  }
  return ids.slice(0, count);
}
