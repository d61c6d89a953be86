// The types of registry.js, for the tests.

export interface Registry {
  /** Such as `http://127.0.0.1:4873/`. */
  readonly url: string;
  /** A file of npm settings with which anything may be published there. */
  readonly npmrc: string;
  /** Fulfilled when the program has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export function startRegistry(options?: { readonly port?: number }): Promise<Registry>;
