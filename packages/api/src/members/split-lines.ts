// Cuts a text that comes in pieces into its lines.

export interface LineSplitter {
  /** The lines that this piece ends. */
  push(piece: string): readonly string[];
  /** What stands after the last end of line. */
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
