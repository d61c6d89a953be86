// Counts what goes by, for whoever wants to know how far it is.

/** Changes while bytes go by. */
export interface Tally {
  lines: number;
  bytes: number;
  isDone: boolean;
}

export function createTally(): Tally {
  return { lines: 0, bytes: 0, isDone: false };
}

/** The same bytes. */
export async function* countLines(
  chunks: AsyncIterable<Uint8Array>,
  tally: Tally,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    tally.bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) tally.lines += 1;
    yield chunk;
  }
  tally.isDone = true;
}

const LINE_FEED = 10;
