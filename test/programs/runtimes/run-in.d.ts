interface Workerd {
  readonly dispatchFetch: (url: string) => Promise<{ readonly status: number; readonly text: () => Promise<string> }>;
  readonly dispose: () => Promise<void>;
}

export function createWorkerd(script: string, compatibilityDate?: string, printed?: string[]): Workerd;
