// Counts the lines and bytes of a stream that passes through, to show progress.

/** The counts so far. The object is changed as bytes pass. */
export interface LineCount {
  lines: number;
  bytes: number;
  isDone: boolean;
}

export function createLineCount(): LineCount {
  return { lines: 0, bytes: 0, isDone: false };
}

/** Passes the chunks on unchanged, and adds to `count`. */
export async function* countLines(
  chunks: AsyncIterable<Uint8Array>,
  count: LineCount,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) count.lines += 1;
    yield chunk;
  }
  count.isDone = true;
}

const LINE_FEED = 10;
