// Asks questions on a terminal, one after another, over one reader of its lines: lines that were typed or pasted ahead answer
// the questions that follow.

import { createInterface } from "node:readline";
import { toPrintable } from "../../log/printable.js";

/** Resolves with the next line of the input; undefined if it has ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Reads nothing before the first question. The reader keeps the process going until it exits. */
export function createAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask {
  let next: ((question: string) => Promise<string | undefined>) | undefined;
  return (question) => (next ??= openReader(input, output))(toPrintable(question));
}

function openReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask {
  const reader = createInterface({ input, output });
  const lines: string[] = [];
  let answer: ((line: string | undefined) => void) | undefined;
  let hasEnded = false;

  function settle(line: string | undefined): void {
    answer?.(line);
    answer = undefined;
  }

  reader.on("line", (line) => {
    if (answer === undefined) lines.push(line);
    else settle(line);
  });
  reader.on("close", () => {
    hasEnded = true;
    settle(undefined);
  });
  return (question) => {
    const line = lines.shift();
    if (line !== undefined) output.write(`${question}${line}\n`);
    if (line !== undefined || hasEnded) return Promise.resolve(line);
    reader.setPrompt(question);
    reader.prompt();
    return new Promise((resolve) => (answer = resolve));
  };
}
