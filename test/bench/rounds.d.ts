// The types of rounds.js, for the tests.

export function rotated<Item>(items: readonly Item[], round: number): Item[];
