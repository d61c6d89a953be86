// The people in calls: audiences and traits with their syncs, requests to delete or suppress users, and suppressed users.

import type { AudienceJson, DeletionJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { type FetchResult, change } from "../base/ask.js";
import { formatNumber } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { isOperator } from "../base/session.js";
import { Screen } from "../parts/screen.js";
import { Chip, FaultNote, InstantText, TableBox, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";

const POLL_MS = 2_000;
const SUPPRESSED_SHOWN = 100;

export function People() {
  return (
    <Screen title={TEXTS.people.title}>
      <Audiences />
      <Deletions />
      {isOperator.value ? <RequestForm /> : null}
      <Suppressed />
    </Screen>
  );
}

function Audiences() {
  const { people: texts } = TEXTS;
  const { value, fault, again } = usePolled<{ readonly audiences: readonly AudienceJson[] }>("api/audiences", POLL_MS);
  const { audienceColumns: columns } = texts;
  return (
    <section>
      <h2>{texts.audiences}</h2>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {value?.audiences.length === 0 ? <p>{texts.noAudiences}</p> : null}
      {value === undefined || value.audiences.length === 0 ? null : (
        <TableBox label={texts.audiences}>
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.name}</th>
                <th scope="col">{columns.kind}</th>
                <th scope="col" class="number">
                  {columns.members}
                </th>
                <th scope="col">{columns.changes}</th>
                <th scope="col">{columns.destinations}</th>
              </tr>
            </thead>
            <tbody>
              {value.audiences.map((audience) => (
                <AudienceRow key={audience.key} audience={audience} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </section>
  );
}

function AudienceRow({
  audience: { key, name, kind, running, last, destinations },
}: {
  readonly audience: AudienceJson;
}) {
  const { people: texts } = TEXTS;
  return (
    <tr>
      <th scope="row">
        {name} <span class="faint id">{key}</span>
      </th>
      <td>{texts.kinds[kind]}</td>
      <td class="number">{last === null ? TEXTS.none : formatNumber(last.members)}</td>
      <td>
        {running === null ? null : (
          <>
            <Chip tone="busy">{texts.running[running.phase]}</Chip>{" "}
            {running.done === null || running.total === null ? null : (
              <progress
                max={Math.max(1, running.total)}
                value={running.done}
                aria-label={texts.running[running.phase]}
              />
            )}{" "}
          </>
        )}
        {last === null ? null : (
          <>
            {texts.changes(formatNumber(last.entered), formatNumber(last.departed), formatNumber(last.changed))}{" "}
            <InstantText at={last.endedAt} />
          </>
        )}
      </td>
      <td>{destinations.join(", ")}</td>
    </tr>
  );
}

function Deletions() {
  const { people: texts } = TEXTS;
  const { value, fault, again } = usePolled<{ readonly deletions: readonly DeletionJson[] }>("api/deletions", POLL_MS);
  const { deletionColumns: columns } = texts;
  return (
    <section>
      <h2>{texts.deletions}</h2>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {value?.deletions.length === 0 ? <p>{texts.noDeletions}</p> : null}
      {value === undefined || value.deletions.length === 0 ? null : (
        <TableBox label={texts.deletions}>
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.requestedAt}</th>
                <th scope="col">{columns.what}</th>
                <th scope="col" class="number">
                  {columns.users}
                </th>
                <th scope="col">{columns.state}</th>
                <th scope="col" class="number">
                  {columns.purged}
                </th>
                <th scope="col" class="number">
                  {columns.notices}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.deletions.map((deletion) => (
                <DeletionRow key={deletion.id} deletion={deletion} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </section>
  );
}

/** Finished means that receivers have it. */
const STATE_TONES: Readonly<Record<DeletionJson["state"], Tone>> = {
  purging: "busy",
  notifying: "busy",
  finishing: "busy",
  delivering: "warn",
  undelivered: "bad",
  finished: "good",
};

function DeletionRow({ deletion }: { readonly deletion: DeletionJson }) {
  const { state, regulation, requestedAt, users, purged, notices } = deletion;
  const { people: texts } = TEXTS;
  const sum = (name: Exclude<keyof DeletionJson["notices"][number], "source">): number =>
    notices.reduce((total, notice) => total + notice[name], 0);
  const [open, dead] = [sum("open"), sum("dead")];
  return (
    <tr>
      <th scope="row">
        <InstantText at={requestedAt} />
      </th>
      <td>{texts.regulations[regulation]}</td>
      <td class="number">{formatNumber(users)}</td>
      <td>
        <Chip tone={STATE_TONES[state]}>{texts.states[state]}</Chip>
      </td>
      <td class="number">{formatNumber(purged)}</td>
      <td class="number">
        {texts.notices(formatNumber(sum("delivered")), formatNumber(sum("stored")))}{" "}
        {open === 0 ? null : <Chip tone="warn">{texts.waiting(formatNumber(open))}</Chip>}{" "}
        {dead === 0 ? null : <Chip tone="bad">{texts.dead(formatNumber(dead))}</Chip>}
      </td>
    </tr>
  );
}

/** A request, which names how many users it is for before it is sent. */
function RequestForm() {
  const { people: texts } = TEXTS;
  const [text, setText] = useState("");
  const [regulation, setRegulation] = useState<DeletionJson["regulation"]>("delete-only");
  const [outcome, setOutcome] = useState<FetchResult<unknown>>();
  const userIds = [...new Set(text.split(/[\s,]+/).filter((id) => id !== ""))];
  const onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await change("POST", "api/deletions", { userIds, regulation });
    setOutcome(answer);
    if (answer.kind === "ok") setText("");
  };
  return (
    <form class="set-up" onSubmit={(event) => void onSubmit(event)}>
      <fieldset class="step">
        <legend>
          <h2>{texts.requestTitle}</h2>
        </legend>
        <label class="field wide-field">
          <span>{texts.userIds}</span>
          <textarea
            rows={3}
            value={text}
            aria-describedby="user-ids-hint"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <span id="user-ids-hint" class="hint">
          {texts.userIdsHint}
        </span>
        <label class="field">
          <span>{texts.what}</span>
          <select
            value={regulation}
            onChange={({ currentTarget }) => setRegulation(currentTarget.value as DeletionJson["regulation"])}
          >
            {Object.entries(texts.regulations).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {regulation.includes("delete") ? <p>{texts.sure}</p> : null}
        <button class="danger" disabled={userIds.length === 0}>
          {texts.send(formatNumber(userIds.length))}
        </button>
        <div aria-live="polite">{outcome?.kind === "ok" ? <p>{texts.requested}</p> : null}</div>
        {outcome === undefined || outcome.kind === "ok" ? null : <FaultNote fault={outcome} />}
      </fieldset>
    </form>
  );
}

function Suppressed() {
  const { people: texts } = TEXTS;
  const path = `api/suppressed?limit=${String(SUPPRESSED_SHOWN)}`;
  const { value, fault } = usePolled<{ readonly userIds: readonly string[] }>(path, POLL_MS);
  return (
    <section>
      <h2>{texts.suppressed}</h2>
      {fault === undefined ? null : <FaultNote fault={fault} />}
      {value?.userIds.length === 0 ? <p>{texts.noSuppressed}</p> : null}
      {value?.userIds.length === SUPPRESSED_SHOWN ? (
        <p class="hint">{texts.shown(formatNumber(SUPPRESSED_SHOWN))}</p>
      ) : null}
      <p class="id">{value?.userIds.join(" · ")}</p>
    </section>
  );
}
