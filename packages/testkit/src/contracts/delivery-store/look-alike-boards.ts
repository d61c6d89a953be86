// Look-alikes as processes, lanes and endpoints of a board.

import {
  type BoardHold,
  type BoardRow,
  destinationId,
  endpointId,
  MAX_BOARD_HOLDS,
  MAX_URL_LENGTH,
  processId,
} from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectEachItself, halvesOf, lookAlikes } from "../look-alikes.js";
import {
  beat,
  boardOf,
  boardRow,
  cursorOf,
  expectTold,
  namedLane,
  LONG_LIVE_MS,
  readBoard,
  writeRows,
} from "./board-scene.js";
import type { Scene, StoreCase } from "./scene.js";

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
      const all = async (): Promise<void> => {
        for (const [place, name] of names.entries()) await beatAs(scene, name, shareOf(place));
      };
      for (const left of halves) {
        await all();
        for (const name of left) await boardOf(scene).leave(processId(name));
        const { processes } = await beat(scene);
        const stayed = names.filter((name) => !left.includes(name));
        const found = stayed.map((name) => {
          const own = processes.filter(({ share }) => share === shareOf(names.indexOf(name)));
          return [name, own.map(({ process }) => process as string)] as const;
        });
        expectEachItself(new Map(found), "the process that has announced a share");
        const gone = processes.filter(({ process }) => left.includes(process));
        expectEqual(gone, [], "the processes that live although they have left");
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
      const { told } = await readBoard(scene, { since });
      const found = LANES.map((lane, place) => {
        const own = told.filter(({ limit }) => limit === place + 1);
        return [lane, own.map((row) => row.lane as string)] as const;
      });
      expectEachItself(new Map(found), "the row of a lane");
      for (const row of rows)
        expectEqual(await boardOf(scene).write([row]), [row], "what is answered who writes a row once more");
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
      expectTold((await readBoard(scene, { since })).told, rows, "a row with what looks alike");
    },
  },
];

const ENDPOINTS = lookAlikes(MAX_URL_LENGTH).map((url) => endpointId(url));

/** As many holds as a row may have: those of the endpoints from a place on. */
function holdsFrom(scene: Scene, first: number): readonly BoardHold[] {
  return Array.from({ length: MAX_BOARD_HOLDS }, (_, index) => {
    const place = (first + index) % ENDPOINTS.length;
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
  const stored = await boardOf(scene).write(LANES.map((lane) => boardRow(lane, 1)));
  const revisions = new Map(stored.map(({ lane, revision }) => [lane, revision]));
  return LANES.map((lane, place) => boardRow(lane, (revisions.get(lane) ?? 1) + 1, { limit: place + 1 }));
}
