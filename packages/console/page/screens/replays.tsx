// The replay jobs: the progress of each, and a way to stop it. Before a replay of a whole filter is started, a dialog shows its effect; the
// job goes on without the page.

import type { ReplayJobJson, ReplayPreviewJson } from "@postrider/http/api";
import { useState, useEffect } from "preact/hooks";
import { change, type FetchFault, type FetchResult } from "../base/ask.js";
import { formatNumber } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { isOperator } from "../base/session.js";
import { DataTable } from "../parts/data-table.js";
import { Screen } from "../parts/screen.js";
import { Chip, FaultNote, InstantText, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { go } from "../base/router.js";
import { Checks } from "../parts/field.js";
import { Dialog } from "../parts/dialog.js";
import { apiParametersOf, type Filters } from "./delivery-filters.js";

const POLL_MS = 1_000;

const TONES: Readonly<Record<ReplayJobJson["state"], Tone>> = { running: "busy", done: "good", cancelled: "off" };

/** The states of deliveries that a job may replay. */
const ENDED = ["dead", "delivered"] as const satisfies ReplayJobJson["filter"]["states"];

export function Replays() {
  const { value, fault, again } = usePolled<{ readonly jobs: readonly ReplayJobJson[] }>("api/replay-jobs", POLL_MS);
  const [actionFault, setActionFault] = useState<FetchFault>();
  const cancel = async ({ id }: ReplayJobJson): Promise<void> => {
    const answer = await change("POST", `api/replay-jobs/${encodeURIComponent(id)}/cancel`);
    setActionFault(answer.kind === "ok" ? undefined : answer);
    again();
  };
  return (
    <Screen title={TEXTS.replays.title}>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {actionFault === undefined ? null : <FaultNote fault={actionFault} />}
      {value === undefined ? null : <JobTable jobs={value.jobs} onCancel={(job) => void cancel(job)} />}
    </Screen>
  );
}

interface JobTableProps {
  readonly jobs: readonly ReplayJobJson[];
  readonly onCancel: (job: ReplayJobJson) => void;
}

function JobTable({ jobs, onCancel }: JobTableProps) {
  const { none, caption, columns } = TEXTS.replays;
  const { value: mayAct } = isOperator;
  if (jobs.length === 0) return <p>{none}</p>;
  return (
    <DataTable
      caption={caption}
      columns={[columns.createdAt, columns.state, columns.progress, ...(mayAct ? [columns.actions] : [])]}
    >
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} onCancel={mayAct ? onCancel : undefined} />
      ))}
    </DataTable>
  );
}

interface JobRowProps {
  readonly job: ReplayJobJson;
  readonly onCancel: JobTableProps["onCancel"] | undefined;
}

function JobRow({ job, onCancel }: JobRowProps) {
  const { id, state, createdAt, expected, replayed, skipped } = job;
  const { progress, states, cancel, cancelOf } = TEXTS.replays;
  const text = progress(formatNumber(replayed), formatNumber(expected), formatNumber(skipped));
  return (
    <tr>
      <th scope="row">
        <InstantText at={createdAt} />
      </th>
      <td>
        <Chip tone={TONES[state]}>{states[state]}</Chip>
      </td>
      <td>
        <progress
          max={Math.max(1, expected)}
          value={state === "done" ? Math.max(1, expected) : replayed + skipped}
          aria-label={text}
        />{" "}
        {text}
      </td>
      {onCancel === undefined ? null : (
        <td>
          {state === "running" ? (
            <button type="button" aria-label={cancelOf(id)} onClick={() => onCancel(job)}>
              {cancel}
            </button>
          ) : null}
        </td>
      )}
    </tr>
  );
}

interface ReplayDialogProps {
  readonly filters: Filters;
  readonly onClose: () => void;
}

type Ended = (typeof ENDED)[number];

export function ReplayDialog({ filters, onClose }: ReplayDialogProps) {
  const [states, setStates] = useState<readonly Ended[]>(endedIn(filters));
  const [preview, setPreview] = useState<FetchResult<ReplayPreviewJson>>();
  const [actionFault, setActionFault] = useState<FetchFault>();
  const [openedAt] = useState(Date.now);
  const body = jobBody(filters, states, openedAt);
  const text = JSON.stringify(body);
  useEffect(() => {
    let isOver = false;
    setPreview(undefined);
    void change<ReplayPreviewJson>("POST", "api/replay-jobs/preview", body).then((answer) => {
      if (!isOver) setPreview(answer);
    });
    return () => (isOver = true);
  }, [text]);
  const start = async (): Promise<void> => {
    const answer = await change<ReplayJobJson>("POST", "api/replay-jobs", body);
    if (answer.kind === "ok") go("replays");
    else setActionFault(answer);
  };
  const { replay: texts } = TEXTS;
  const count = preview?.kind === "ok" ? preview.value.deliveries : 0;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Checks
        legend={texts.states}
        options={ENDED}
        textOf={(state) => texts[state]}
        chosen={states}
        onChoose={setStates}
      />
      <div aria-live="polite">
        {preview === undefined ? <p>{texts.counting}</p> : null}
        {preview?.kind === "ok" ? <PreviewText preview={preview.value} /> : null}
      </div>
      {preview === undefined || preview.kind === "ok" ? null : <FaultNote fault={preview} />}
      {actionFault === undefined ? null : <FaultNote fault={actionFault} />}
      <div class="buttons">
        <button type="button" class="main" disabled={count === 0} onClick={() => void start()}>
          {texts.start(formatNumber(count))}
        </button>
        <button type="button" onClick={onClose}>
          {TEXTS.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** The ended states among the chosen ones; dead ones if there is none. */
function endedIn({ state = "" }: Filters): readonly Ended[] {
  const states = state.split(",").filter((text): text is Ended => text === "dead" || text === "delivered");
  return states.length === 0 ? ["dead"] : states;
}

function jobBody(filters: Filters, state: readonly Ended[], now: number): object {
  const { destination, source, type, reason, status, since } = apiParametersOf(filters, now);
  return { state, destination, source, type, reason, status, since };
}

function PreviewText({ preview }: { readonly preview: ReplayPreviewJson }) {
  const { deliveries, isWhole, oldest, newest, byDestination, byReason, outOfReach } = preview;
  const { replay: texts } = TEXTS;
  const lost = outOfReach.purged + outOfReach["destination-removed"];
  if (deliveries === 0) return <p>{texts.nothing}</p>;
  return (
    <>
      <p>
        <b>{texts.count(deliveries, isWhole)}</b>
      </p>
      {oldest === null || newest === null ? null : (
        <p>
          <InstantText at={oldest} /> – <InstantText at={newest} />
        </p>
      )}
      <Counts title={texts.byDestination} counts={byDestination.map((row) => [row.destination, row.deliveries])} />
      <Counts
        title={texts.byReason}
        counts={byReason.map((row) => [TEXTS.reasons[row.reason] ?? row.reason, row.deliveries])}
      />
      {lost === 0 ? null : <p>{texts.outOfReach(formatNumber(lost))}</p>}
    </>
  );
}

function Counts({
  title,
  counts,
}: {
  readonly title: string;
  readonly counts: readonly (readonly [string, number])[];
}) {
  return (
    <dl class="counts">
      <dt>{title}</dt>
      {counts.map(([name, count]) => (
        <dd key={name}>
          {name}: {formatNumber(count)}
        </dd>
      ))}
    </dl>
  );
}
