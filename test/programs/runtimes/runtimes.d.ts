type Run = (page: "client" | "durable", endpoint: string) => Promise<object | undefined>;

export const RUNTIMES: Readonly<Record<string, Run>>;

export const runInJsdom: Run;
