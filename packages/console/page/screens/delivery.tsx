// One delivery: the reason for its state, its attempts, and its message, which is read only on request.

import type { AttemptJson, ExplanationJson, RecordJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { type FetchResult, change } from "../base/ask.js";
import { formatLength } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { Link } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { Screen } from "../parts/screen.js";
import { Chip, CopyButton, FaultNote, InstantText, TableBox, timeUntil, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { DeliveryMessage, DeliveryRequests } from "./delivery-content.js";
import { STATE_TONES } from "./delivery-table.js";

const POLL_MS = 1_000;

/** A delivery in full, as the console answers it: its message has a separate path. */
interface ShownDelivery extends Omit<RecordJson, "message"> {
  readonly hasMessage: boolean;
}

export function DeliveryScreen({ id }: { readonly id: string }) {
  const path = `api/deliveries/${encodeURIComponent(id)}`;
  const { value, fault, again } = usePolled<ShownDelivery>(path, POLL_MS);
  const why = usePolled<ExplanationJson>(`${path}/why`, POLL_MS).value;
  const isMissing = fault?.status === 404;
  return (
    <Screen title={TEXTS.delivery.title}>
      {isMissing ? <p>{TEXTS.delivery.notFound}</p> : null}
      {fault === undefined || isMissing ? null : <FaultNote fault={fault} again={again} />}
      {value === undefined ? null : (
        <>
          <p class="state">
            <Chip tone={STATE_TONES[value.state]}>{TEXTS.states[value.state]}</Chip>
          </p>
          {why === undefined ? null : <Why why={why} />}
          <Actions delivery={value} path={path} />
          <Facts delivery={value} />
          <Attempts attempts={value.attempts} />
          <DeliveryMessage path={path} hasMessage={value.hasMessage} />
          <DeliveryRequests path={path} hasMessage={value.hasMessage} />
        </>
      )}
    </Screen>
  );
}

function Why({ why: { sentences, lapses, nextAttemptAt, windowEndsAt } }: { readonly why: ExplanationJson }) {
  return (
    <section class="why">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {lapses === null ? null : <p>{lapses}</p>}
      {nextAttemptAt === null ? null : <p>{TEXTS.delivery.nextAttempt(timeUntil(nextAttemptAt))}</p>}
      {windowEndsAt === null ? null : <p class="faint">{TEXTS.delivery.windowEnds(timeUntil(windowEndsAt))}</p>}
    </section>
  );
}

interface ActionsProps {
  readonly delivery: ShownDelivery;
  readonly path: string;
}

function Actions({ delivery: { state, id }, path }: ActionsProps) {
  const [replayResult, setReplayResult] = useState<FetchResult<{ readonly id: string }>>();
  const hasEnded = state === "dead" || state === "delivered";
  const replay = async (): Promise<void> => setReplayResult(await change("POST", `${path}/replay`));
  return (
    <div class="buttons">
      {hasEnded && isOperator.value ? (
        <button type="button" onClick={() => void replay()}>
          {TEXTS.delivery.replay}
        </button>
      ) : null}
      <CopyButton key={id} text={location.href} label={TEXTS.delivery.copyLink} />
      <div aria-live="polite">
        {replayResult?.kind === "ok" ? (
          <Link to={`deliveries/${replayResult.value.id}`}>{TEXTS.delivery.replayed(replayResult.value.id)}</Link>
        ) : null}
      </div>
      {replayResult === undefined || replayResult.kind === "ok" ? null : <FaultNote fault={replayResult} />}
    </div>
  );
}

function Facts({ delivery }: { readonly delivery: ShownDelivery }) {
  const { labels, facts } = TEXTS.delivery;
  const { id, messageId, source, destination, type, acceptedAt, replayOf } = delivery;
  const rows: readonly (readonly [string, string])[] = [
    [labels.id, id],
    [labels.messageId, messageId],
    [labels.source, source],
    [labels.destination, destination],
    [labels.type, type],
  ];
  return (
    <section>
      <h2>{facts}</h2>
      <dl class="facts">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="id">{text}</dd>
          </div>
        ))}
        <div>
          <dt>{labels.acceptedAt}</dt>
          <dd>
            <InstantText at={acceptedAt} />
          </dd>
        </div>
        {replayOf === null ? null : (
          <div>
            <dt>{labels.replayOf}</dt>
            <dd class="id">
              <Link to={`deliveries/${replayOf}`}>{replayOf}</Link>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const VERDICT_TONES: Readonly<Record<AttemptJson["verdict"], Tone>> = {
  success: "good",
  retry: "busy",
  refused: "bad",
};

function Attempts({ attempts }: { readonly attempts: readonly AttemptJson[] }) {
  const { columns, attempts: title, noAttempts } = TEXTS.delivery;
  return (
    <section>
      <h2>{title}</h2>
      {attempts.length === 0 ? (
        <p>{noAttempts}</p>
      ) : (
        <TableBox label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col" class="number">
                  {columns.round}
                </th>
                <th scope="col">{columns.endpoint}</th>
                <th scope="col">{columns.startedAt}</th>
                <th scope="col">{columns.took}</th>
                <th scope="col">{columns.answer}</th>
                <th scope="col">{columns.verdict}</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map((attempt) => (
                <AttemptRow key={`${String(attempt.round)} ${attempt.endpoint}`} attempt={attempt} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </section>
  );
}

function AttemptRow({ attempt }: { readonly attempt: AttemptJson }) {
  const { round, endpoint, startedAt, durationMs, status, fault, excerpt, verdict } = attempt;
  return (
    <tr>
      <td class="number">{round}</td>
      <td class="id">{endpoint}</td>
      <td>
        <InstantText at={startedAt} />
      </td>
      <td>{formatLength(durationMs)}</td>
      <td>
        {status ?? fault}
        {excerpt === null || excerpt === "" ? null : (
          <details>
            <summary>{TEXTS.delivery.excerpt}</summary>
            <pre>{excerpt}</pre>
          </details>
        )}
      </td>
      <td>
        <Chip tone={VERDICT_TONES[verdict]}>{TEXTS.delivery.verdicts[verdict]}</Chip>
      </td>
    </tr>
  );
}
