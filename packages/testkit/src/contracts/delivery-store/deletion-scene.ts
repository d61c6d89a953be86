// The operations of cases about deletions and suppressions. Users and requests have names that no other case uses.

import {
  type DeletionId,
  deletionId,
  type DeletionRecord,
  type DeletionStore,
  type NewDeletion,
} from "@postrider/core";
import { expectPresent, expectThat } from "../check.js";
import type { Scene } from "./scene.js";

/** The id of a request that does not exist. */
export const UNKNOWN_DELETION = "nobody's" as DeletionId;

export interface DeletionScene {
  readonly deletions: () => DeletionStore;
  readonly user: (name: string) => string;
  readonly deletion: (name: string) => DeletionId;
  /** Stores a request: delete-only, of all sources, named "1", unless given otherwise. */
  readonly open: (given: OpenDeletionOptions) => Promise<void>;
  /** The request named "1". */
  readonly find: () => Promise<DeletionRecord | undefined>;
  /** Purges completely for the request named "1", or for the given request. */
  readonly purge: (id?: DeletionId) => Promise<void>;
}

export type OpenDeletionOptions = Pick<NewDeletion, "userIds"> &
  Partial<Pick<NewDeletion, "regulation" | "sources">> & { readonly name?: string };

/** More slices than a purge of all data of the suite needs. */
const MAX_SLICES = 10_000;

export function deletionScene(scene: Scene): DeletionScene {
  const deletions = (): DeletionStore => expectPresent(scene.store().deletions, "a store that supports `deletions`");
  const deletion = (name: string): DeletionId => deletionId(`${scene.source}-deletion-${name}`);
  return {
    deletions,
    user: (name) => `${scene.source}-user-${name}`,
    deletion,
    open: ({ name = "1", ...given }) => {
      const request = { regulation: "delete-only", sources: null, ...given } as const;
      return deletions().open({ id: deletion(name), ...request }, scene.now());
    },
    find: () => deletions().find(deletion("1")),
    purge: async (id = deletion("1")): Promise<void> => {
      for (let slice = 0; slice < MAX_SLICES; slice += 1) {
        if ((await deletions().purge({ id, limit: 100 }, scene.now())).isDone) return;
      }
      expectThat(false, "a purge does not come to its end");
    },
  };
}
