// The kinds of requests about users, and what each of them sets going (decision: deletion).

/** Named as the public service names them. */
export const REGULATIONS = ["delete-only", "suppress-with-delete", "suppress-only", "unsuppress"] as const;
export type Regulation = (typeof REGULATIONS)[number];

export interface RegulationEffects {
  /** What becomes of later calls of these users; null: nothing changes. */
  readonly suppression: "begins" | "ends" | null;
  /** Whether what is stored of them goes. */
  readonly purges: boolean;
  /** Whether receivers are told to delete them. */
  readonly notifies: boolean;
}

const EFFECTS: Readonly<Record<Regulation, RegulationEffects>> = {
  "delete-only": { suppression: null, purges: true, notifies: true },
  "suppress-with-delete": { suppression: "begins", purges: true, notifies: true },
  "suppress-only": { suppression: "begins", purges: true, notifies: false },
  unsuppress: { suppression: "ends", purges: false, notifies: false },
};

export function effectsOf(regulation: Regulation): RegulationEffects {
  return EFFECTS[regulation];
}
