// The kinds of deletion requests, and the effects of each (decision: deletion). Must not know how an effect is carried out.

/** The kinds of deletion requests, with the names that the public service's API uses. */
export const REGULATIONS = ["delete-only", "suppress-with-delete", "suppress-only", "unsuppress"] as const;
/** A kind of deletion request. `effectsOf` says what each does. */
export type Regulation = (typeof REGULATIONS)[number];

/** What a deletion request does to further calls, to stored data, and at receivers. */
export interface RegulationEffects {
  /** `begins`: further calls about these users are suppressed. `ends`: such calls are accepted again. Null: no change. */
  readonly suppression: "begins" | "ends" | null;
  /** Whether stored data about these users is removed. */
  readonly purges: boolean;
  /** Whether receivers get a notice to delete these users. */
  readonly notifies: boolean;
}

const EFFECTS: Readonly<Record<Regulation, RegulationEffects>> = {
  "delete-only": { suppression: null, purges: true, notifies: true },
  "suppress-with-delete": { suppression: "begins", purges: true, notifies: true },
  "suppress-only": { suppression: "begins", purges: true, notifies: false },
  unsuppress: { suppression: "ends", purges: false, notifies: false },
};

/** The effects of a kind of request. */
export function effectsOf(regulation: Regulation): RegulationEffects {
  return EFFECTS[regulation];
}
