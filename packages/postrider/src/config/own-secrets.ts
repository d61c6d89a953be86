// The secrets of a server itself: its tokens, its sealing keys, and the URL of its database with the password in it. No setting that
// others may put should lead to one of them.

import type { ServerSettings } from "@postrider/codec";
import { createSecret, type Secret } from "@postrider/core";

export function ownSecrets(server: ServerSettings): readonly Secret[] {
  const { apiToken, metricsToken, viewerToken, sealingKeys = [], store } = server;
  const tokens = [apiToken, metricsToken, viewerToken, ...sealingKeys].filter((secret) => secret !== undefined);
  return store.kind === "postgres" ? [...tokens, store.url, ...passwordsIn(store.url)] : tokens;
}

/** The password of a database, as its URL has it and as it is. */
function passwordsIn(url: Secret): readonly Secret[] {
  const text = url.reveal();
  if (!URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const found = new Set([password, decoded(password), searchParams.get("password") ?? ""]);
  return [...found].filter((one) => one !== "").map((one) => createSecret(one));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
