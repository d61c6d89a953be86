// The operations of cases about deletions and suppressions, and the cases of suppressed users: their messages leave
// nothing but a count, and the last of several requests about a user decides.

import {
  type DeletionId,
  deletionId,
  type DeletionRecord,
  type DeletionStore,
  type NewDeletion,
  type AcceptResult,
  type NewMessage,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectPresent, expectThat, expectEqual } from "../check.js";
import type { Scene, StoreCase } from "./scene.js";

/** The id of a request that does not exist. */
export const UNKNOWN_DELETION = "nobody's" as DeletionId;

export interface DeletionScene {
  readonly deletions: () => DeletionStore;
  readonly user: (name: string) => string;
  readonly deletion: (name: string) => DeletionId;
  /** Stores a request: delete-only, of all sources, named "1", unless given otherwise. */
  readonly open: (options: OpenDeletionOptions) => Promise<void>;
  /** The request named "1". */
  readonly find: () => Promise<DeletionRecord | undefined>;
  /** Purges completely for the request named "1", or for the given request. */
  readonly purge: (id?: DeletionId) => Promise<void>;
}

export type OpenDeletionOptions = Pick<NewDeletion, "userIds"> &
  Partial<Pick<NewDeletion, "regulation" | "sources">> & { readonly name?: string };

/** More slices than a purge of all data of the suite needs. */
const MAX_SLICES = 10_000;

/** Of the store and the time of a scene, or of another caller. */
export function deletionScene(scene: Pick<Scene, "source" | "store" | "now">): DeletionScene {
  const deletions = (): DeletionStore => expectPresent(scene.store().deletions, "a store that supports `deletions`");
  const deletion = (name: string): DeletionId => deletionId(`${scene.source}-deletion-${name}`);
  return {
    deletions,
    user: (name) => `${scene.source}-user-${name}`,
    deletion,
    open: ({ name = "1", ...fields }) => {
      const request = { regulation: "delete-only", sources: null, ...fields } as const;
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

export const SUPPRESSING_CASES: readonly StoreCase[] = [
  {
    name: "nothing of a suppressed user's message is stored, not even its id, and it is counted",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      const message = { userIds: [user("ann")], messageId: "once" };
      expectEqual(await answersTo(scene, [message, message]), ["suppressed", "suppressed"], "the answers");
      await scene.expectCounts({ suppressed: 2 }, "after it");
      expectEqual((await scene.store().list({ source: scene.source, limit: 5 })).deliveries, [], "what is listed");
      expectEqual(await scene.claimIds(), [], "what is handed out");
      await open({ name: "2", userIds: [user("ann")], regulation: "unsuppress" });
      expectEqual(await answersTo(scene, [message]), ["stored"], "the answer once the user is no longer suppressed");
    },
  },
  {
    name: "a message is suppressed for any of its users, and for no others",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      const [ann, bob] = [user("ann"), user("bob")];
      await open({ userIds: [ann], regulation: "suppress-with-delete", sources: [scene.otherSource] });
      const messages = [[bob, ann], [ann, bob], [bob], []].map((userIds) => ({ userIds }));
      const expected = ["suppressed", "suppressed", "stored", "stored", "stored"];
      expectEqual(await answersTo(scene, [...messages, {}]), expected, "the answers");
      expectEqual(
        await answersTo(scene, [{ userIds: [ann.slice(0, -1)] }]),
        ["stored"],
        "the answer to a name like it",
      );
      await scene.expectCounts({ accepted: 4, waiting: 4, suppressed: 2 }, "after it");
    },
  },
  {
    name: "messages of a user who is deleted, but not suppressed, are accepted",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")] });
      expectEqual(await answersTo(scene, [{ userIds: [user("ann")] }]), ["stored"], "the answer");
    },
  },
  {
    name: "a suppressed message is no duplicate, and makes no other message one",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      const annsMessage = { userIds: [user("ann")], messageId: "one" };
      const bobsMessage = { ...annsMessage, userIds: [user("bob")] };
      expectEqual(
        await answersTo(scene, [annsMessage, bobsMessage, annsMessage]),
        ["suppressed", "stored", "suppressed"],
        "the answers",
      );
      expectEqual(await answersTo(scene, [annsMessage, bobsMessage]), ["suppressed", "duplicate"], "the answers later");
      await scene.expectCounts({ accepted: 1, waiting: 1, suppressed: 3, duplicates: 1 }, "after it");
    },
  },
  {
    name: "a suppression survives a crash, and so does its end",
    needs: ["deletions", "restart"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann"), user("bob")], regulation: "suppress-only" });
      await open({ name: "2", userIds: [user("bob"), user("eve")], regulation: "unsuppress" });
      await scene.crash();
      const messages = ["ann", "bob", "eve"].map((name) => ({ userIds: [user(name)] }));
      expectEqual(await answersTo(scene, messages), ["suppressed", "stored", "stored"], "the answers");
    },
  },
  {
    name: "suppressed users are listed in pages, each once, exactly as they were named",
    needs: ["deletions"],
    async play(scene) {
      const deletionMoves = deletionScene(scene);
      const userIds = ["ann", "bob\u0000", "\ud800eve", "'--", "é"].map(deletionMoves.user);
      await deletionMoves.open({ userIds, regulation: "suppress-only" });
      await deletionMoves.open({ name: "2", userIds: userIds.slice(1, 3), regulation: "suppress-with-delete" });
      const sceneUsers = await listSuppressed(deletionMoves, 2);
      expectEqual(sceneUsers.toSorted(), userIds.toSorted(), "those of this case");
    },
  },
];

async function answersTo(
  scene: Scene,
  messages: readonly Partial<NewMessage>[],
): Promise<readonly AcceptResult["kind"][]> {
  const { accepted } = await scene.commit({ accept: messages.map((message) => scene.message(message)) });
  return accepted.map(({ kind }) => kind);
}

/** More pages than the users of all cases fill. */
const MAX_PAGES = 2_000;

/** The suppressed users of a scene, in the order of the store, read in pages of `limit`. */
export async function listSuppressed({ deletions, user }: DeletionScene, limit: number): Promise<readonly string[]> {
  const users: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const next = await deletions().suppressed({ limit, ...defined({ after: users.at(-1) }) });
    users.push(...next);
    if (next.length < limit) return users.filter((userId) => userId.startsWith(user("")));
  }
  throw new Error(`the store lists suppressed users without end: ${String(users.length)} so far`);
}

export const REQUESTS_IN_TURN_CASES: readonly StoreCase[] = [
  {
    name: "one request ends the suppression of a user whom several requests have suppressed",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, deletions } = deletionScene(scene);
      const ann = { userIds: [user("ann")] };
      await open({ name: "1", ...ann, regulation: "suppress-only" });
      await open({ name: "2", ...ann, regulation: "suppress-with-delete" });
      await open({ name: "3", ...ann, regulation: "unsuppress" });
      const { accepted } = await scene.commit({ accept: [scene.message(ann)] });
      expectEqual(accepted[0]?.kind, "stored", "the answer to a message of this user");
      const suppressedUsers = await deletions().suppressed({ limit: 10_000 });
      expectEqual(suppressedUsers.includes(user("ann")), false, "whether the user is listed as suppressed");
    },
  },
  {
    name: "a finished request makes messages outdated as an unfinished one does",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, deletions, deletion } = deletionScene(scene);
      const asOf = (await deletions().list({ limit: 1 })).deletions[0]?.number ?? 0;
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      expectEqual(await deletions().finish(deletion("1"), scene.now()), true, "whether the request is finished");
      const { accepted } = await scene.commit({ accept: [scene.message({ asOf })] });
      expectEqual(accepted[0]?.kind, "outdated", "the answer to a message from before the request");
    },
  },
];
