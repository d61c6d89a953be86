// The type of audit.js, which is plain JavaScript because plain Node runs it.

/** What one question came to. */
export function judgeAudit(run: {
  readonly status: number | null;
  readonly output: string;
}): "clean" | "bad" | "no-answer";
