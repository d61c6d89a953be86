// A group of boxes of which several may be checked.

interface ChecksProps<T extends string> {
  readonly legend: string;
  /** In the order in which they are shown, and chosen ones are told. */
  readonly options: readonly T[];
  readonly textOf: (option: T) => string;
  readonly chosen: readonly T[];
  readonly onChoose: (chosen: readonly T[]) => void;
}

export function Checks<T extends string>({ legend, options, textOf, chosen, onChoose }: ChecksProps<T>) {
  return (
    <fieldset class="states">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(options.filter((one) => (one === option ? checked : chosen.includes(one))))
            }
          />
          {textOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
