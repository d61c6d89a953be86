// Reads the user ids of a message from its body: files of version 3 or earlier have these ids nowhere else. Finds no
// ids in a body that cannot be parsed; such a body is not sent, because its checksum is wrong. Later kinds need no case.

export interface BodyUsers {
  readonly userId?: string | undefined;
  readonly previousId?: string | undefined;
}

export function readUsers(type: string, body: string): BodyUsers {
  const message = parse(body);
  if (type !== "alias") return { userId: textAt(message, "userId") };
  return { userId: textAt(message, "User ID"), previousId: textAt(message, "Previous ID") };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function textAt(message: unknown, key: string): string | undefined {
  if (typeof message !== "object" || message === null || !Object.hasOwn(message, key)) return undefined;
  const value = (message as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? value : undefined;
}
