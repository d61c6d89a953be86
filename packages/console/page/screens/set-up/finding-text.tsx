// What was found at a URL without a request: whether its name, its address and its certificate are good.

import { Chip, type Tone } from "../../parts/small.js";
import type { Finding } from "../../settings/probed.js";
import { TEXTS } from "../../texts.js";

const TONES: Readonly<Record<Finding["kind"], Tone>> = { ok: "good", warning: "busy", fault: "bad" };

interface FindingTextProps {
  readonly number: number;
  /** Undefined if nothing is known. */
  readonly finding: Finding | "probing" | undefined;
  /** Tries the URL again. */
  readonly onProbe: () => void;
}

export function FindingText({ number, finding, onProbe }: FindingTextProps) {
  const { endpoints: texts } = TEXTS.setUp;
  return (
    <div class="finding" aria-live="polite">
      {finding === "probing" ? texts.probing : null}
      {finding === undefined || finding === "probing" ? null : (
        <>
          <Chip tone={TONES[finding.kind]}>{texts.findings[finding.kind]}</Chip> {finding.message}
          {finding.change === null ? null : `; ${finding.change}`}
          {finding.kind === "ok" ? null : (
            <>
              {" "}
              <button type="button" aria-label={texts.probeAgain(number)} onClick={onProbe}>
                {TEXTS.retry}
              </button>
            </>
          )}
        </>
      )}
    </div>
  );
}
