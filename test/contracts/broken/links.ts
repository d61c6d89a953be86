// Stores that keep the `traceparent` of a message wrongly.

import type { ClaimedDelivery, ClaimResult, DeliveryStore, NewMessage } from "@postrider/core";

type Claimed = (delivery: ClaimedDelivery) => ClaimedDelivery;

/** A store that shows claimed deliveries in another way. */
function showing(change: () => Claimed): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const show = change();
    const showAll = (result: ClaimResult): ClaimResult => ({ ...result, deliveries: result.deliveries.map(show) });
    return { ...store, claim: async (request, now) => showAll(await store.claim(request, now)) };
  };
}

function without({ traceparent: _, ...delivery }: ClaimedDelivery): ClaimedDelivery {
  return delivery;
}

/** Returns it with the first round only, as if it were kept beside the first claim. */
export const linkingFirstRounds = showing(() => (delivery) => (delivery.rounds === 0 ? delivery : without(delivery)));

/** Shows the text of an earlier message where there is none. */
export const linkingToEarlier = showing(() => {
  let last: string | undefined;
  return (delivery) => {
    last = delivery.traceparent ?? last;
    return last === undefined ? delivery : { ...delivery, traceparent: last };
  };
});

/** Keeps it with the deliveries of a commit, and not with the message, so that a replay has none. */
export function linkingNoReplays(store: DeliveryStore): DeliveryStore {
  const linked = new Set<string>();
  const show = showing(() => (delivery) => (linked.has(delivery.id) ? delivery : without(delivery)))(store);
  return {
    ...show,
    commit: async (changes, now) => {
      const result = await store.commit(changes, now);
      for (const answer of result.accepted)
        if (answer.kind === "stored") for (const id of answer.deliveries) linked.add(id);
      return result;
    },
  };
}

/** Keeps it in the memory of the process. */
export function linkingInMemory(store: DeliveryStore): DeliveryStore {
  const traceparents = new Map<string, string>();
  const bare = ({ traceparent, ...message }: NewMessage): NewMessage => {
    if (traceparent !== undefined) traceparents.set(`${message.source} ${message.messageId}`, traceparent);
    return message;
  };
  const show = showing(() => (delivery) => {
    const traceparent = traceparents.get(`${delivery.source} ${delivery.messageId}`);
    return traceparent === undefined ? delivery : { ...delivery, traceparent };
  })(store);
  return { ...show, commit: (changes, now) => store.commit({ ...changes, accept: changes.accept.map(bare) }, now) };
}
