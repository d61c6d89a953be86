// Which lines of a text are gone, and which are new in another one: by the longest common subsequence of their lines.

export interface DifferenceLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Texts whose numbers of lines have a larger product are shown as gone and new as a whole. */
const MAX_CELLS = 250_000;

/** The lines of both texts in order; none of an empty text. */
export function linesOfDifference(before: string, after: string): readonly DifferenceLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  if (old.length * young.length > MAX_CELLS) return [...all(old, "gone"), ...all(young, "new")];
  const common = commonFrom(old, young);
  const lines: DifferenceLine[] = [];
  let [at, place] = [0, 0];
  while (at < old.length && place < young.length) {
    const [one, other] = [old[at] ?? "", young[place] ?? ""];
    if (one === other) lines.push({ kind: "same", text: one });
    else if (common(at + 1, place) >= common(at, place + 1)) lines.push({ kind: "gone", text: one });
    else lines.push({ kind: "new", text: other });
    const { kind } = lines.at(-1) ?? { kind: "same" };
    if (kind !== "new") at += 1;
    if (kind !== "gone") place += 1;
  }
  return [...lines, ...all(old.slice(at), "gone"), ...all(young.slice(place), "new")];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function all(lines: readonly string[], kind: "gone" | "new"): readonly DifferenceLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** How many lines two texts have in common, in order, from these lines on. */
function commonFrom(old: readonly string[], young: readonly string[]): (at: number, place: number) => number {
  const width = young.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  const lookUp = (at: number, place: number): number => cells[at * width + place] ?? 0;
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let place = young.length - 1; place >= 0; place -= 1) {
      cells[at * width + place] =
        old[at] === young[place]
          ? lookUp(at + 1, place + 1) + 1
          : Math.max(lookUp(at + 1, place), lookUp(at, place + 1));
    }
  }
  return lookUp;
}
