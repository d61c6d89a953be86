// The types of processes.js, for the tests.

import type { ChildProcess } from "node:child_process";

export function outlived<Child extends ChildProcess>(child: Child): Child;
export function messageOf(child: ChildProcess, kind: string): Promise<Readonly<Record<string, unknown>>>;
export function askOf(child: ChildProcess, question: object, kind: string): Promise<Readonly<Record<string, unknown>>>;
