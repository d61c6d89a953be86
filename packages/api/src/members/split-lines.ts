// Splits a text that arrives in pieces into its lines.

export interface LineSplitter {
  /** The lines that end in this piece. */
  push(piece: string): readonly string[];
  /** The text after the last line feed. */
  rest(): string;
}

/** A line ends with a line feed, which is not part of it. */
export function createLineSplitter(): LineSplitter {
  let rest = "";
  return {
    push: (piece) => {
      const lines = piece.split("\n");
      const last = lines.pop() ?? "";
      if (lines.length === 0) {
        rest += last;
        return lines;
      }
      lines[0] = rest + (lines[0] ?? "");
      rest = last;
      return lines;
    },
    rest: () => rest,
  };
}
