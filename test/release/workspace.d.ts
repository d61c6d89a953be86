// The types of workspace.js, for its tests.

export interface OwnPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: object;
}

export function readPackages(root: string): readonly OwnPackage[];

export function inDependencyOrder(packages: readonly OwnPackage[]): readonly OwnPackage[];
