// How a store is named in words: its path, or its database without the password.

import type { ServerSettings } from "@postrider/codec";

/** The name of a store, for people and logs. It has no secret. */
export function nameStore(store: ServerSettings["store"]): string {
  switch (store.kind) {
    case "memory":
      return "memory:";
    case "sqlite":
      return store.path;
    case "postgres":
      return nameDatabase(store.url.reveal());
  }
}

/** The URL of a database without what may be secret: its password, and its query. */
export function nameDatabase(text: string): string {
  if (!URL.canParse(text)) return "postgres:";
  const url = new URL(text);
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}
