export interface SqlMutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly by: string;
}

export const SQL_MUTANTS: readonly SqlMutant[];

export function misfitOf(mutant: Pick<SqlMutant, "name" | "file" | "from">): string | undefined;

/** The part of Vitest's report that a verdict is read from. */
export interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export function verdictOf(report: Report): { readonly kind: string; readonly by: string };

export function playSql(only?: string): Promise<number>;
