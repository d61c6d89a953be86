// Each destination: its state and the reason for it, its waiting deliveries, and the actions of an operator.

import type { LaneJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { change, type FetchFault } from "../base/ask.js";
import { formatNumber } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { addressOf, Link } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { ConfirmDialog } from "../parts/dialog.js";
import { DataTable } from "../parts/data-table.js";
import { Chip, FaultNote, InstantText, timeUntil, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";

const POLL_MS = 1_000;

const TONES: Readonly<Record<LaneJson["mode"], Tone>> = {
  open: "good",
  held: "bad",
  refusing: "bad",
  blocked: "bad",
  paused: "off",
  off: "off",
  gone: "bad",
};

type Action = "pause" | "resume" | "probe" | "forget";

export function LaneList() {
  const { value, fault, again } = usePolled<{ readonly lanes: readonly LaneJson[] }>("api/lanes", POLL_MS);
  const [actionFault, setActionFault] = useState<FetchFault>();
  const [laneToForget, setLaneToForget] = useState<LaneJson>();
  if (value === undefined)
    return fault === undefined ? <p>{TEXTS.loading}</p> : <FaultNote fault={fault} again={again} />;
  if (value.lanes.length === 0) return <NoLanes />;
  const act = async (lane: LaneJson, action: Action): Promise<void> => {
    const answer = await change("POST", `api/lanes/${encodeURIComponent(lane.destination)}/${action}`);
    setActionFault(answer.kind === "ok" ? undefined : answer);
    again();
  };
  const confirmOrAct = (lane: LaneJson, action: Action): void => {
    if (action === "forget") setLaneToForget(lane);
    else void act(lane, action);
  };
  return (
    <>
      {actionFault === undefined ? null : <FaultNote fault={actionFault} />}
      <LaneTable lanes={value.lanes} onAction={confirmOrAct} />
      {laneToForget === undefined ? null : (
        <ConfirmDialog
          title={TEXTS.lanes.forget}
          action={TEXTS.lanes.forget}
          onConfirm={() => void act(laneToForget, "forget")}
          onClose={() => setLaneToForget(undefined)}
        >
          <p>{TEXTS.lanes.forgetSure(laneToForget.destination, laneToForget.deliveries)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The way to begin, for users who may. */
function NoLanes() {
  return (
    <p>
      {TEXTS.lanes.none} {isOperator.value ? <Link to="set-up">{TEXTS.setUp.title}</Link> : null}
    </p>
  );
}

interface LaneTableProps {
  readonly lanes: readonly LaneJson[];
  readonly onAction: (lane: LaneJson, action: Action) => void;
}

function LaneTable({ lanes, onAction }: LaneTableProps) {
  const { columns, title } = TEXTS.lanes;
  const { value: mayAct } = isOperator;
  const { destination, mode, waiting, windowLeft, deaths, inFlight, rate } = columns;
  const headings = [destination, mode, waiting, windowLeft, deaths, inFlight, rate];
  return (
    <DataTable caption={title} columns={mayAct ? [...headings, columns.actions] : headings} numbers={[waiting, deaths]}>
      {lanes.map((lane) => (
        <LaneRow key={lane.destination} lane={lane} onAction={mayAct ? onAction : undefined} />
      ))}
    </DataTable>
  );
}

interface LaneRowProps {
  readonly lane: LaneJson;
  readonly onAction: LaneTableProps["onAction"] | undefined;
}

function LaneRow({ lane, onAction }: LaneRowProps) {
  const { destination, mode, deliveries, windowEndsAt, inFlight, limit, rate } = lane;
  return (
    <tr>
      <th scope="row">
        <Link to={addressOf("deliveries", { destination })}>{destination}</Link>
      </th>
      <td>
        <Chip tone={TONES[mode]}>{TEXTS.lanes.modes[mode]}</Chip> <Closure lane={lane} />
      </td>
      <td class="number">{formatNumber(deliveries)}</td>
      <td>{windowEndsAt === null ? TEXTS.none : timeUntil(windowEndsAt)}</td>
      <td class="number">
        <Deaths lane={lane} />
      </td>
      <td>{TEXTS.lanes.inFlight(inFlight, limit)}</td>
      <td>{rate === null ? TEXTS.none : TEXTS.lanes.inFlight(Math.floor(rate.left), rate.burst)}</td>
      {onAction === undefined ? null : (
        <td>
          {actionsFor(lane).map((action) => (
            <button
              key={action}
              type="button"
              aria-label={TEXTS.lanes.of(TEXTS.lanes[action], destination)}
              onClick={() => onAction(lane, action)}
            >
              {TEXTS.lanes[action]}
            </button>
          ))}
        </td>
      )}
    </tr>
  );
}

/** The actions that make sense in a state. */
function actionsFor({ mode, pausedBy }: LaneJson): readonly Action[] {
  if (mode === "gone") return ["forget"];
  if (pausedBy.includes("operator")) return ["resume"];
  if (mode === "held" || mode === "refusing" || mode === "blocked") return ["probe", "pause"];
  return mode === "open" ? ["pause"] : [];
}

/** The number of the dead, with a link to them. */
function Deaths({ lane: { destination, deaths } }: { readonly lane: LaneJson }) {
  if (deaths === 0) return <>{TEXTS.none}</>;
  return <Link to={addressOf("deliveries", { destination, state: "dead" })}>{formatNumber(deaths)}</Link>;
}

/** The reason for which a destination gets nothing, or its last answer if it has taken nothing since. */
function Closure({ lane: { backoff, lastFailure, pausedBy } }: { readonly lane: LaneJson }) {
  const { held, since, refused, failed } = TEXTS.lanes;
  return (
    <>
      {pausedBy.map((by) => `${TEXTS.lanes.pausedBy[by]} `)}
      {backoff === null && lastFailure !== null ? (
        <span class="faint">
          {(lastFailure.isRefusal ? refused : failed)(lastFailure.detail)}
          <InstantText at={lastFailure.at} />
        </span>
      ) : null}
      {backoff === null ? null : (
        <span class="faint">
          {backoff.since === null ? null : (
            <>
              {since("")}
              <InstantText at={backoff.since} />,{" "}
            </>
          )}
          {held(backoff.detail ?? TEXTS.none, timeUntil(backoff.nextProbeAt))}
        </span>
      )}
    </>
  );
}
