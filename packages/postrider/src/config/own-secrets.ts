// The secrets of a server itself: its tokens, its sealing keys, and the URL of its database with the password in it. No setting that
// others may put should lead to one of them, and a store has a name for people and logs without them.

import type { ServerSettings } from "@postrider/relay/settings";
import { createSecret, type Secret } from "@postrider/core";

export function ownSecrets(server: ServerSettings): readonly Secret[] {
  const { apiToken, metricsToken, viewerToken, sealingKeys = [], store } = server;
  const tokens = [apiToken, metricsToken, viewerToken, ...sealingKeys].filter((secret) => secret !== undefined);
  return store.kind === "postgres" ? [...tokens, store.url, ...passwordsIn(store.url)] : tokens;
}

/** The passwords in the URL of a database: that of the user, as it is written and decoded, and that of the query. */
function passwordsIn(url: Secret): readonly Secret[] {
  const text = url.reveal();
  if (!URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const texts = new Set([password, decode(password), searchParams.get("password") ?? ""]);
  return [...texts].filter((secret) => secret !== "").map((secret) => createSecret(secret));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
