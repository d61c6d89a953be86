// A rig for deletions: two sources, two destinations, and requests to delete or to suppress users.

import type {
  DeletionId,
  DeletionRequest,
  DeletionStore,
  DeliveryStore,
  Destination,
  DestinationId,
  SourceId,
} from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { type Rig, type RigOptions, createRig, CRM, destination, type Receiver, WEBSITE } from "./rig.js";

type WrapStore = NonNullable<RigOptions["wrapStore"]>;

export const SHOP = "shop" as SourceId;
export const MAIL = "mail" as DestinationId;

/** A receiver that fails until `recover` is called. */
export function switchable(): { readonly receiver: Receiver; recover(): void } {
  let status = 503;
  return {
    receiver: () => ({ status }),
    recover: () => {
      status = 200;
    },
  };
}

export function of(...sources: readonly SourceId[]): Pick<Destination, "sources"> {
  return { sources: sources.map((source) => ({ source, mode: "cloud" })) };
}

/** The crm is connected to both sources, the mail only to the website. */
export function openRig(options: RigOptions = {}): Rig {
  return createRig({
    receivers: { a: { status: 200 }, b: { status: 200 } },
    sources: [SHOP],
    destinations: [destination("crm", ["a"], of(WEBSITE, SHOP)), destination("mail", ["b"], of(WEBSITE))],
    ...options,
  });
}

export function ask(rig: Rig, request: Partial<DeletionRequest> = {}): Promise<DeletionId> {
  return rig.answer(rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only", ...request }));
}

/** The messages that receivers got from request number `from` on: `crm track u1`. */
export function callsHeard(rig: Rig, from = 0): readonly string[] {
  return rig.seen.slice(from).map(({ url, body }) => {
    const message = JSON.parse(body) as Record<string, string>;
    const lane = url.includes("//a.") ? CRM : MAIL;
    return `${lane} ${message["type"] ?? ""} ${message["userId"] ?? message["User ID"] ?? "no user"}`;
  });
}

export async function states(rig: Rig): Promise<readonly string[]> {
  return (await rig.all()).map(({ destination: lane, type, state, reason, body }) =>
    [lane, type, reason ?? state, ...(body === undefined ? ["without a body"] : [])].join(" "),
  );
}

export async function kinds(rig: Rig, ...calls: readonly unknown[]): Promise<readonly string[]> {
  return (await rig.accept(...calls)).map(({ kind }) => kind);
}

/** A store in which some methods are replaced. */
export function patched(patch: (store: DeliveryStore) => Partial<DeliveryStore>): WrapStore {
  return (store) => ({ ...store, ...patch(store) });
}

/** A store in which some methods for users are replaced. */
export function withDeletions(
  patch: (deletions: DeletionStore, clock: ManualClock) => Partial<DeletionStore>,
): WrapStore {
  return (store, clock) => {
    const { deletions } = store;
    return deletions === undefined ? store : { ...store, deletions: { ...deletions, ...patch(deletions, clock) } };
  };
}

export function sorted(list: readonly string[]): readonly string[] {
  return [...list].sort();
}
