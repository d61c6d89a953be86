// The filters of the list of deliveries. They are in the address, so that a list can be sent as a link, and Back undoes a choice.

import type { DeliveryJson, LaneJson, SourceJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { addressOf, go, place } from "../base/router.js";
import { usePolled } from "../base/polled.js";
import { Checks } from "../parts/field.js";
import { Choice } from "../parts/small.js";
import { TEXTS } from "../texts.js";

/** The parameters of the address that are filters, with the names of the API; `within` is a time up to now. */
const NAMES = ["state", "destination", "source", "type", "reason", "status", "messageId", "user", "within"] as const;
type Name = (typeof NAMES)[number];
export type Filters = Readonly<Partial<Record<Name, string>>>;

// Safe cast: the keys of a literal.
const STATES = Object.keys(TEXTS.states) as readonly DeliveryJson["state"][];
const TYPES = Object.keys({
  identify: true,
  track: true,
  page: true,
  screen: true,
  group: true,
  alias: true,
  delete: true,
} satisfies Record<DeliveryJson["type"], true>);
/** Those of dead deliveries. */
const REASONS = Object.entries(TEXTS.reasons).filter(([reason]) => reason !== "delivered");

const MINUTE_MS = 60_000;
const WITHIN_MS: Readonly<Record<string, number>> = {
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "24h": 1_440 * MINUTE_MS,
};

/** The filters in the address. */
export function filtersIn(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

/** The parameters that the API takes. */
export function apiParametersOf(
  { within, ...otherFilters }: Filters,
  now: number,
): Readonly<Record<string, string | undefined>> {
  const backMs = within === undefined ? undefined : WITHIN_MS[within];
  return { ...otherFilters, since: backMs === undefined ? undefined : new Date(now - backMs).toISOString() };
}

/** The form. */
export function FilterForm() {
  const filters = filtersIn(place.value.query);
  const applyChange = (change: Filters): void => go(addressOf("deliveries", { ...filters, ...change }));
  const choose = (name: Name) => (value: string) => applyChange({ [name]: value });
  const { deliveries: texts } = TEXTS;
  const lanes = usePolled<{ readonly lanes: readonly LaneJson[] }>("api/lanes", 0).value?.lanes ?? [];
  const sources = usePolled<{ readonly sources: readonly SourceJson[] }>("api/sources", 0).value?.sources ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <section class="filters" aria-label={texts.filters}>
      <Checks
        legend={texts.state}
        options={STATES}
        textOf={(state) => TEXTS.states[state]}
        chosen={STATES.filter((state) => filters.state?.split(",").includes(state))}
        onChoose={(states) => applyChange({ state: states.join() })}
      />
      <Choice
        label={texts.destination}
        value={filters.destination ?? ""}
        options={withChosen(
          lanes.map(({ destination }) => destination),
          filters.destination,
        )}
        onChoose={choose("destination")}
      />
      <Choice
        label={texts.source}
        value={filters.source ?? ""}
        options={withChosen(
          sources.map(({ source }) => source),
          filters.source,
        )}
        onChoose={choose("source")}
      />
      <Choice label={texts.type} value={filters.type ?? ""} options={TYPES.map(optionOf)} onChoose={choose("type")} />
      <Choice label={texts.reason} value={filters.reason ?? ""} options={REASONS} onChoose={choose("reason")} />
      <Choice
        label={texts.answer}
        value={filters.status ?? ""}
        options={Object.entries(texts.answers)}
        onChoose={choose("status")}
      />
      <Choice
        label={texts.since}
        value={filters.within ?? ""}
        options={Object.entries(texts.sinces)}
        onChoose={choose("within")}
      />
      <FindForm filters={filters} onFind={applyChange} />
      {isFiltered ? (
        <button type="button" onClick={() => go("deliveries")}>
          {texts.clear}
        </button>
      ) : null}
    </section>
  );
}

/** The options, with the chosen one, even if it is none of them now. */
function withChosen(options: readonly string[], chosen: string | undefined): readonly (readonly [string, string])[] {
  const allOptions = chosen === undefined || options.includes(chosen) ? options : [...options, chosen];
  return allOptions.map(optionOf);
}

function optionOf(text: string): readonly [string, string] {
  return [text, text];
}

type FindBy = keyof typeof TEXTS.deliveries.findBy;

interface FindFormProps {
  readonly filters: Filters;
  readonly onFind: (change: Filters) => void;
}

/** Looks for one message, one user or one delivery. */
function FindForm({ filters, onFind }: FindFormProps) {
  const [by, setBy] = useState<FindBy>(filters.user === undefined ? "messageId" : "user");
  const [text, setText] = useState(filters.user ?? filters.messageId ?? "");
  const { deliveries: texts } = TEXTS;
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const query = text.trim();
    if (by === "id" && query !== "") go(`deliveries/${encodeURIComponent(query)}`);
    else onFind({ messageId: "", user: "", [by]: query });
  };
  return (
    <form class="find" role="search" onSubmit={onSubmit}>
      <label class="field">
        <span>{texts.find}</span>
        <select value={by} onChange={({ currentTarget: { value } }) => setBy(value as FindBy)}>
          {Object.entries(texts.findBy).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <input
        type="search"
        aria-label={texts.findWhat}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
      />
      <button>{texts.findSubmit}</button>
    </form>
  );
}
