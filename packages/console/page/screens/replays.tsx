// The replay jobs: how far each has come, and a way to stop it.

import { useState } from "preact/hooks";
import { change, type Fault } from "../base/ask.js";
import { formatCount } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { isOperator } from "../base/session.js";
import type { ReplayJob } from "../base/shapes.js";
import { DataTable } from "../parts/data-table.js";
import { Screen } from "../parts/screen.js";
import { Chip, FaultNote, Instant, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";

const EVERY_MS = 1_000;

const TONES: Readonly<Record<ReplayJob["state"], Tone>> = { running: "busy", done: "good", cancelled: "off" };

export function Replays() {
  const { value, fault, again } = usePolled<{ readonly jobs: readonly ReplayJob[] }>("api/replay-jobs", EVERY_MS);
  const [failed, setFailed] = useState<Fault>();
  const cancel = async ({ id }: ReplayJob): Promise<void> => {
    const asked = await change("POST", `api/replay-jobs/${encodeURIComponent(id)}/cancel`);
    setFailed(asked.kind === "ok" ? undefined : asked);
    again();
  };
  return (
    <Screen title={TEXTS.replays.title}>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {failed === undefined ? null : <FaultNote fault={failed} />}
      {value === undefined ? null : <JobTable jobs={value.jobs} onCancel={(job) => void cancel(job)} />}
    </Screen>
  );
}

interface JobTableProps {
  readonly jobs: readonly ReplayJob[];
  readonly onCancel: (job: ReplayJob) => void;
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
  readonly job: ReplayJob;
  readonly onCancel: JobTableProps["onCancel"] | undefined;
}

function JobRow({ job, onCancel }: JobRowProps) {
  const { id, state, createdAt, expected, replayed, skipped } = job;
  const { progress, states, cancel, cancelOf } = TEXTS.replays;
  const text = progress(formatCount(replayed), formatCount(expected), formatCount(skipped));
  return (
    <tr>
      <th scope="row">
        <Instant at={createdAt} />
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
