// The kinds of deletion requests, and the effects of each (decision: deletion). Must not know how an effect is carried out.

/** Named as in the public service's API. */
export const REGULATIONS = ["delete-only", "suppress-with-delete", "suppress-only", "unsuppress"] as const;
export type Regulation = (typeof REGULATIONS)[number];

export interface RegulationEffects {
  /** Whether later calls of these users are suppressed from now on, or no longer; null: no change. */
  readonly suppression: "begins" | "ends" | null;
  /** Whether stored data of these users is removed. */
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
