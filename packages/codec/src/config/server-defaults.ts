// The settings of a server that a file does not have.

/** The values of settings that the file leaves out. @internal */
export const SERVER_DEFAULTS = {
  host: "127.0.0.1",
  port: 8_080,
  store: "sqlite:./postrider.db",
  settings: "file",
  console: true,
  senderThread: false,
  maxConnectionAgeMs: 30_000,
} as const;
