// The trace of a simulation, line by line: a hash over all lines, to compare two runs, and the last lines, to find the
// cause of a failure.

/** How many of the last lines are kept. */
const MAX_LINES = 60;

export interface TraceLines {
  add(atMs: number, text: string): void;
  /** 16 hexadecimal digits over all lines so far. */
  hash(): string;
  /** The latest lines, in their order. */
  last(): readonly string[];
}

export function createTrace(): TraceLines {
  const lines: string[] = [];
  let count = 0;
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;

  function mix(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x85ebca6b) + 1;
    }
  }

  return {
    add: (atMs, text): void => {
      const line = `${String(atMs)} ${text}\n`;
      mix(line);
      lines[count % MAX_LINES] = line.trimEnd();
      count += 1;
    },
    hash: () => hex(high) + hex(low),
    last: () => [...lines.slice(count % MAX_LINES), ...lines.slice(0, count % MAX_LINES)],
  };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
