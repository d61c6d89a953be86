// The type of audit.js, which is plain JavaScript because plain Node runs it.

/** The result of one request to the registry. */
export function judgeAudit(run: {
  readonly status: number | null;
  readonly output: string;
}): "clean" | "bad" | "no-answer";
