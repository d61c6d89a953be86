// The history of a run: a hash over all lines, by which two runs are compared, and the last lines, which a failure shows.

/** The number of the last lines that are kept. */
const MAX_LINES = 60;

export interface RunHistory {
  add(atMs: number, text: string): void;
  /** 16 hexadecimal digits over all lines so far. */
  hash(): string;
  /** The latest lines, in their order. */
  latestLines(): readonly string[];
}

export function createRunHistory(): RunHistory {
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
    latestLines: () => [...lines.slice(count % MAX_LINES), ...lines.slice(0, count % MAX_LINES)],
  };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
