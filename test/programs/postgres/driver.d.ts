import type { PostgresPool } from "@postrider/postgres";

export interface TestPool extends PostgresPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
}
export function createPool(options: {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly max?: number;
}): TestPool;
/** A pool on the database of a URL. */
export function openPool(url: string): TestPool;
export function binariesOfNpm(): string | undefined;
