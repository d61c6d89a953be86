// Look-alikes as ids of endpoints and of deletion requests, as details, and look-alikes of the ids and cursors that the store
// itself has made.

import { endpointId, MAX_URL_LENGTH } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { expectEachItself, lookAlikes, showText } from "../look-alikes.js";
import { attempt, bytes, claimedDelivery, rescheduledOutcome } from "./samples.js";
import type { StoreCase } from "./scene.js";
import { listAll } from "./walk-list.js";

export const LOOK_ALIKE_REST_CASES: readonly StoreCase[] = [
  {
    name: "an endpoint is distinct from all that look alike: its attempts and its state",
    async play(scene) {
      const endpoints = lookAlikes(MAX_URL_LENGTH).map((url) => endpointId(url));
      const states = endpoints.map((endpoint, index) => ({
        ...{ endpoint, refused: index % 2 === 1 },
        ...{ excerpt: bytes(String(index)) },
      }));
      const attempts = endpoints.map((endpoint, index) => attempt(scene.later(index), { endpoint }));
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts, endpoints: states });
      const record = await scene.record(id);
      const byEndpoint = new Map(record.endpoints.map((state) => [state.endpoint, state]));
      const found = endpoints.map((endpoint, index) => {
        const { excerpt } = byEndpoint.get(endpoint) ?? {};
        const place = excerpt === undefined ? index : Number(new TextDecoder().decode(excerpt));
        return [endpoint, byEndpoint.has(endpoint) ? [endpoints[place] ?? ""] : []] as const;
      });
      expectEachItself(new Map(found), "an endpoint");
      for (const state of states) expectEqual(byEndpoint.get(state.endpoint), state, "the state of an endpoint");
      expectEqual(record.endpoints.length, states.length, "how many endpoints are found");
      expectEqual(record.attempts, attempts, "the attempts");
      const claimed = (await scene.claimOne()).endpoints;
      expectEqual(claimed.map(({ endpoint }) => endpoint).toSorted(), endpoints.toSorted(), "the endpoints as claimed");
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
        return { id, token, outcome: { kind: "delivered", detail: details[index] ?? "" }, ...NONE } as const;
      });
      await scene.commit({ settle });
      const listed = new Map((await listAll(scene)).map(({ id, detail }) => [id, detail]));
      for (const [index, detail] of details.entries()) {
        const id = expectPresent(ids[index], "the id of a delivery");
        expectEqual((await scene.record(id)).detail, detail, `the detail ${showText(detail)} as found`);
        expectEqual(listed.get(id), detail, `the detail ${showText(detail)} as listed`);
      }
    },
  },
];

export const NONE: { readonly attempts: readonly []; readonly endpoints: readonly [] } = {
  attempts: [],
  endpoints: [],
};
