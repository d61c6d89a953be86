// The last step: a test event with the entered values, before they are in force, with each answer; and the switch of the destination.

import type { TestReportJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { type FetchResult, change } from "../../base/ask.js";
import { formatLength } from "../../base/format.js";
import { Chip, FaultNote, type Tone } from "../../parts/small.js";
import { TEXTS } from "../../texts.js";
import { SetUpStep, type StepProps } from "./steps.js";

const TONES: Readonly<Record<TestReportJson["attempts"][number]["verdict"], Tone>> = {
  success: "good",
  retry: "bad",
  refused: "bad",
  local: "bad",
};

export function TestStep({ draft, document, checked, isStore, onChange }: StepProps) {
  const { setUp: texts } = TEXTS;
  const [lastTest, setLastTest] = useState<{
    readonly requestText: string;
    readonly answer: FetchResult<TestReportJson> | "sending";
  }>();
  const body = { settings: document, destination: draft.id };
  const requestText = JSON.stringify(body);
  // An answer to earlier values says nothing of the present ones.
  const answer = lastTest?.requestText === requestText ? lastTest.answer : undefined;
  const send = async (): Promise<void> => {
    setLastTest({ requestText, answer: "sending" });
    setLastTest({ requestText, answer: await change<TestReportJson>("POST", "api/settings/test", body) });
  };
  return (
    <SetUpStep title={texts.steps.test} hint={isStore ? texts.testHint : texts.testOfFile}>
      {isStore ? (
        <button type="button" disabled={!checked.isGood || answer === "sending"} onClick={() => void send()}>
          {texts.test}
        </button>
      ) : null}
      <div aria-live="polite">{answer === "sending" ? <p>{texts.testing}</p> : <TestAnswer answer={answer} />}</div>
      <label>
        <input
          type="checkbox"
          checked={draft.isOn}
          onChange={({ currentTarget }) => onChange({ ...draft, isOn: currentTarget.checked })}
        />
        {texts.on}
      </label>
    </SetUpStep>
  );
}

function TestAnswer({ answer }: { readonly answer: FetchResult<TestReportJson> | undefined }) {
  const { setUp: texts } = TEXTS;
  if (answer === undefined) return null;
  if (answer.kind !== "ok") return <FaultNote fault={answer} />;
  return (
    <ul class="answers">
      {answer.value.attempts.map(({ endpoint, status, fault, durationMs, verdict, excerpt }) => (
        <li key={endpoint}>
          <Chip tone={TONES[verdict]}>{texts.verdicts[verdict]}</Chip> <span class="id">{endpoint}</span>{" "}
          {status === null
            ? texts.failed(fault ?? "", formatLength(durationMs))
            : texts.answered(status, formatLength(durationMs))}
          {excerpt === null || excerpt === "" ? null : <pre>{excerpt}</pre>}
        </li>
      ))}
    </ul>
  );
}
