// Cases of look-alikes as ids of users and on a board. To find a user who is taken for another, half of them are named
// at a time; only once one is wrong, each is tried against each.

import {
  MAX_USER_ID_LENGTH,
  type BoardHold,
  type BoardRow,
  destinationId,
  endpointId,
  MAX_BOARD_HOLDS,
  MAX_URL_LENGTH,
  processId,
} from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { failAsOne, halvesOf, lookAlikes, showText, expectEachItself } from "../look-alikes.js";
import { deletionScene, type OpenDeletionOptions } from "./users.js";
import type { Scene, StoreCase } from "./scene.js";
import {
  beat,
  boardOf,
  boardRow,
  cursorOf,
  expectRows,
  namedLane,
  LONG_LIVE_MS,
  readBoard,
  writeRows,
} from "./board-scene.js";

const USERS = lookAlikes(MAX_USER_ID_LENGTH);

export const LOOK_ALIKE_USER_CASES: readonly StoreCase[] = [
  {
    name: "a suppressed user is distinct from all that look alike",
    needs: ["deletions"],
    play: (scene) => tellApart(scene, "a suppressed user", suppressedOf),
  },
  {
    name: "a purged user is distinct from all that look alike",
    needs: ["deletions"],
    play: (scene) => tellApart(scene, "a purged user", purgedOf),
  },
  {
    name: "the users of a request come back as they were given, in their order, and the longest too",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, open } = deletionScene(scene);
      const userIds = USERS.toReversed();
      await open({ userIds, regulation: "unsuppress" });
      expectEqual((await deletions().find(deletion("1")))?.userIds, userIds, "the users");
    },
  },
];

/** Names some users in a request, and returns those of `askedIds` that it reaches. */
type Reach = (scene: Scene, namedIds: readonly string[], askedIds: readonly string[]) => Promise<readonly string[]>;

async function tellApart(scene: Scene, what: string, reach: Reach): Promise<void> {
  for (const half of halvesOf(USERS)) {
    const reached = await reach(scene, half, USERS);
    const lost = half.find((userId) => !reached.includes(userId));
    expectEqual(lost, undefined, `${what} who is named, and not reached`);
    const wrongId = reached.find((userId) => !half.includes(userId));
    if (wrongId !== undefined) await nameTwin(scene, { namedIds: half, wrongId, what }, reach);
  }
}

interface WrongUser {
  readonly namedIds: readonly string[];
  /** Reached, and not named. */
  readonly wrongId: string;
  readonly what: string;
}

async function nameTwin(scene: Scene, { namedIds, wrongId, what }: WrongUser, reach: Reach): Promise<never> {
  for (const userId of namedIds)
    if ((await reach(scene, [userId], [wrongId])).length > 0) failAsOne(userId, wrongId, what);
  throw new Error(`${what}: ${showText(wrongId)} is reached by a request that does not name this user`);
}

/** The suppression ends again, since the names are the same in each run. */
async function suppressedOf(
  scene: Scene,
  namedIds: readonly string[],
  askedIds: readonly string[],
): Promise<readonly string[]> {
  await open(scene, { userIds: namedIds, regulation: "suppress-only" });
  try {
    const accept = askedIds.map((userId) => scene.message({ userIds: [userId], deliveries: [] }));
    const { accepted } = await scene.commit({ accept });
    return askedIds.filter((_, index) => accepted[index]?.kind === "suppressed");
  } finally {
    await open(scene, { userIds: namedIds, regulation: "unsuppress" });
  }
}

async function purgedOf(
  scene: Scene,
  namedIds: readonly string[],
  askedIds: readonly string[],
): Promise<readonly string[]> {
  const { accepted } = await scene.commit({ accept: askedIds.map((userId) => scene.message({ userIds: [userId] })) });
  const ids = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
  const id = await open(scene, { userIds: namedIds });
  await deletionScene(scene).purge(id);
  // One after the other: a store may be busy with a hundred look-ups at once.
  const reached: string[] = [];
  for (const [index, userId] of askedIds.entries()) {
    const { body } = await scene.record(expectPresent(ids[index], "the id of a delivery"));
    if (body === undefined) reached.push(userId);
  }
  return reached;
}

/** Opens a request of a name that the scene has not used yet, and returns its id. */
async function open(scene: Scene, options: OpenDeletionOptions) {
  const deletionMoves = deletionScene(scene);
  for (let name = 1; ; name += 1) {
    const id = deletionMoves.deletion(String(name));
    if ((await deletionMoves.deletions().find(id)) !== undefined) continue;
    await deletionMoves.open({ name: String(name), ...options });
    return id;
  }
}

/** A lane whose id is far longer than those of settings. */
const LONG_LANE = "x".repeat(1_000);

const LANES = [...lookAlikes(), LONG_LANE, `${LONG_LANE.slice(1)}y`, `y${LONG_LANE.slice(1)}`].map((lane) =>
  destinationId(lane),
);

export const LOOK_ALIKE_BOARD_CASES: readonly StoreCase[] = [
  {
    name: "a process is distinct from all that look alike: when it beats, and when it leaves",
    needs: ["board"],
    async play(scene) {
      const names = lookAlikes();
      const halves = [[], ...halvesOf(names)];
      const beatAll = async (): Promise<void> => {
        for (const [place, name] of names.entries()) await beatAs(scene, name, shareOf(place));
      };
      for (const leavers of halves) {
        await beatAll();
        for (const name of leavers) await boardOf(scene).leave(processId(name));
        const { processes } = await beat(scene);
        const stayers = names.filter((name) => !leavers.includes(name));
        const entries = stayers.map((name) => {
          const matches = processes.filter(({ share }) => share === shareOf(names.indexOf(name)));
          return [name, matches.map(({ process }) => process as string)] as const;
        });
        expectEachItself(new Map(entries), "the process that has announced a share");
        const livingLeavers = processes.filter(({ process }) => leavers.includes(process));
        expectEqual(livingLeavers, [], "the processes that live although they have left");
      }
      for (const name of names) await boardOf(scene).leave(processId(name));
    },
  },
  {
    name: "the row of a lane is distinct from those of all that look alike",
    needs: ["board"],
    async play(scene) {
      const since = await cursorOf(scene);
      const rows = await nextRows(scene);
      await writeRows(scene, rows);
      const { rows: reported } = await readBoard(scene, { since });
      const entries = LANES.map((lane, place) => {
        const matches = reported.filter(({ limit }) => limit === place + 1);
        return [lane, matches.map((row) => row.lane as string)] as const;
      });
      expectEachItself(new Map(entries), "the row of a lane");
      for (const row of rows)
        expectEqual(await boardOf(scene).write([row]), [row], "the answer to a further write of a row");
    },
  },
  {
    name: "the endpoints and the prober of a row are distinct from all that look alike",
    needs: ["board"],
    async play(scene) {
      const since = await cursorOf(scene);
      const rows = lookAlikes().map((text, place) => {
        const backoff = { probes: 1, probeAt: scene.now(), prober: processId(text) };
        return boardRow(namedLane(scene, String(place)), 1, { backoff, holds: holdsFrom(scene, place) });
      });
      await writeRows(scene, rows);
      expectRows((await readBoard(scene, { since })).rows, rows, "a row with what looks alike");
    },
  },
];

const ENDPOINTS = lookAlikes(MAX_URL_LENGTH).map((url) => endpointId(url));

/** As many holds as a row may have: those of the endpoints from a place on. */
function holdsFrom(scene: Scene, firstPlace: number): readonly BoardHold[] {
  return Array.from({ length: MAX_BOARD_HOLDS }, (_, index) => {
    const place = (firstPlace + index) % ENDPOINTS.length;
    return { endpoint: ENDPOINTS[place] ?? endpointId(""), until: scene.later(place) };
  });
}

/** Shares that no other case announces. */
function shareOf(place: number): number {
  return 1 / (1_000 + place);
}

function beatAs(scene: Scene, name: string, share: number): Promise<unknown> {
  const request = { process: processId(name), share, liveForMs: LONG_LIVE_MS, limit: 0 };
  return boardOf(scene).beat(request, scene.now());
}

/** The next row of each lane, which may have one of an earlier run; its limit is the place of the lane, from 1 on. */
async function nextRows(scene: Scene): Promise<readonly BoardRow[]> {
  const storedRows = await boardOf(scene).write(LANES.map((lane) => boardRow(lane, 1)));
  const revisions = new Map(storedRows.map(({ lane, revision }) => [lane, revision]));
  return LANES.map((lane, place) => boardRow(lane, (revisions.get(lane) ?? 1) + 1, { limit: place + 1 }));
}
