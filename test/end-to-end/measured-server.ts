// A server in a separate process that reports its memory on request. Needs `tsc -b` first.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { look } from "../canary.js";

export interface Measured {
  /** Heap and buffers after garbage collection. */
  readonly bytes: number;
  /** Open connections. */
  readonly sockets: number;
}

export interface MeasuredServer {
  readonly url: string;
  measure(): Promise<Measured>;
}

type Word =
  | { readonly kind: "listening"; readonly url: string }
  | ({ readonly kind: "measured" } & Measured)
  | { readonly kind: "log" };

const PROGRAM = fileURLToPath(new URL("programs/measured-server.js", import.meta.url));

/** Starts one; it is killed after the test. */
export async function measuredServer(config: string, limits: Partial<HttpLimits> = {}): Promise<MeasuredServer> {
  const child = fork(PROGRAM, [config, JSON.stringify(limits)], { execArgv: ["--expose-gc"], silent: true });
  child.on("message", (word) => void look("a word of a process", word));
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => void look("output of a process", chunk));
  onTestFinished(() => void child.kill("SIGKILL"));
  const { url } = await heard(child, "listening");
  return {
    url,
    measure: () => {
      child.send("measure");
      return heard(child, "measured");
    },
  };
}

/** The next message of a kind; rejects if the process ends. */
function heard<Kind extends Word["kind"]>(child: ChildProcess, kind: Kind): Promise<Extract<Word, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the server has ended with ${String(code)}`));
    const onWord = (word: Word): void => {
      if (!isKind(word, kind)) return;
      child.off("message", onWord).off("exit", onExit);
      resolve(word);
    };
    child.on("message", onWord).on("exit", onExit);
  });
}

function isKind<Kind extends Word["kind"]>(word: Word, kind: Kind): word is Extract<Word, { kind: Kind }> {
  return word.kind === kind;
}
