// The types of instructions.js, for the tests.

export function findPerf(): { readonly missing?: string };
export function countInstructions(pid: number): Promise<{ readonly end: () => Promise<Map<number, number>> }>;
export function readCounts(text: string): Map<number, number>;
