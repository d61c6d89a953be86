// The types of licences.js, for its tests.

export interface LicenceException {
  readonly name: string;
  readonly licence: string;
  readonly reason: string;
}

export const EXCEPTIONS: readonly LicenceException[];

export function checkLicences(
  root: string,
  exceptions?: readonly LicenceException[],
): { readonly read: readonly string[]; readonly problems: readonly string[] };
