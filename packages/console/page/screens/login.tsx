// The login: a token becomes a session.

import { useState } from "preact/hooks";
import { logIn } from "../base/session.js";
import { Screen } from "../parts/screen.js";
import { TEXTS } from "../texts.js";

export function Login({ reason }: { readonly reason?: string | undefined }) {
  const [token, setToken] = useState("");
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void logIn({ token });
  };
  return (
    <Screen title={TEXTS.login.title}>
      <form class="login" onSubmit={onSubmit}>
        {reason === undefined ? null : (
          <p class="note bad" role="alert">
            {reason}
          </p>
        )}
        <label class="field">
          <span>{TEXTS.login.token}</span>
          <input
            type="password"
            name="token"
            autoComplete="current-password"
            required
            value={token}
            aria-describedby="token-hint"
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <p id="token-hint" class="hint">
          {TEXTS.login.hint}
        </p>
        <button class="main">{TEXTS.login.submit}</button>
        <p class="hint">{TEXTS.login.forgotten}</p>
      </form>
    </Screen>
  );
}
