// Our delivery store. Every command that changes something is appended to a journal and synced, then played on a
// store in memory; opening the journal plays all of it again, since a store decides nothing and holds no clock: the same
// commands make the same store. One process per journal, and the journal only grows: good enough for us.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { DeliveryStore, StoreErrorCode } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";

const CLOSED = "the journal is closed";

type Command =
  | ["commit", ...Parameters<DeliveryStore["commit"]>]
  | ["claim", ...Parameters<DeliveryStore["claim"]>]
  | ["end", ...Parameters<DeliveryStore["end"]>]
  | ["pullIn", ...Parameters<DeliveryStore["pullIn"]>]
  | ["sweep", ...Parameters<DeliveryStore["sweep"]>];

/** Opens a journal, or begins one. No other process may have it open. */
export async function openJournalStore(path: string): Promise<DeliveryStore> {
  const memory = createMemoryStore({ disk: createMemoryDisk() });
  const file = openSync(path, "a+");
  for (const command of readJournal(file)) await play(memory, command).catch(() => "as it was the first time");

  let ended: Error | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: the journal must have them in the order in which they are played. */
  function run<Answer>(command: Command, work: () => Promise<Answer>): Promise<Answer> {
    const answer = last.then(() => {
      append(command);
      return work();
    });
    last = answer.catch(() => undefined);
    return answer;
  }

  function append(command: Command): void {
    if (ended !== undefined) throw ended;
    try {
      writeSync(file, `${JSON.stringify(command, writeBytes)}\n`);
      fsyncSync(file);
    } catch (error) {
      // Half a line may be in the file, or a whole one that was never synced: nothing may be written behind it.
      ended = fault("corrupt", "the journal has failed before");
      throw fault("unavailable", String(error));
    }
  }

  return {
    commit: (changes, now) => run(["commit", changes, now], () => memory.commit(changes, now)),
    claim: (request, now) => run(["claim", request, now], () => memory.claim(request, now)),
    end: (request, now) => run(["end", request, now], () => memory.end(request, now)),
    pullIn: (request, now) => run(["pullIn", request, now], () => memory.pullIn(request, now)),
    sweep: (request, now) => run(["sweep", request, now], () => memory.sweep(request, now)),
    lanes: (page, now) => memory.lanes(page, now),
    find: (id) => memory.find(id),
    list: (query) => memory.list(query),
    seen: (query, now) => memory.seen(query, now),
    counts: () => memory.counts(),
    close: async () => {
      await last;
      // The number of a closed file may soon be that of another one.
      if (ended?.message !== CLOSED) closeSync(file);
      ended = fault("unavailable", CLOSED);
      await memory.close();
    },
  };
}

function play(store: DeliveryStore, command: Command): Promise<unknown> {
  switch (command[0]) {
    case "commit":
      return store.commit(command[1], command[2]);
    case "claim":
      return store.claim(command[1], command[2]);
    case "end":
      return store.end(command[1], command[2]);
    case "pullIn":
      return store.pullIn(command[1], command[2]);
    case "sweep":
      return store.sweep(command[1], command[2]);
  }
}

/** The commands of a journal. A last line without an end belongs to a command that was never answered, and is cut off. */
function readJournal(file: number): readonly Command[] {
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
  const lines = whole.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line, readBytes) as Command);
}

/** JSON knows no bytes. Reads `this`, since the second argument is what a Buffer makes of itself. */
function writeBytes(this: Record<string, unknown>, key: string): unknown {
  const value = this[key];
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
}

function readBytes(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("base64" in value)) return value;
  return typeof value.base64 === "string" ? new Uint8Array(Buffer.from(value.base64, "base64")) : value;
}

function fault(code: StoreErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}
