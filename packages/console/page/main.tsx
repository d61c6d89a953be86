// The script of the page: shows in its document the login, or the frame with the sections and the screen that the
// address names.

import type { HealthJson, VersionJson } from "@postrider/http/api";
import { render, type ComponentType } from "preact";
import { useRef, useState } from "preact/hooks";
import { beginSession, isReachable, logOut, session, type User, logIn } from "./base/session.js";
import { usePolled } from "./base/polled.js";
import { Link, place } from "./base/router.js";
import { Screen } from "./parts/screen.js";
import { Chip } from "./parts/small.js";
import { Calls } from "./screens/calls.js";
import { Deliveries } from "./screens/deliveries.js";
import { DeliveryScreen } from "./screens/delivery.js";
import { Overview } from "./screens/overview.js";
import { People } from "./screens/people.js";
import { Replays } from "./screens/replays.js";
import { SetUp } from "./screens/set-up/set-up.js";
import { SettingsScreen } from "./screens/settings/settings-screen.js";
import { TEXTS } from "./texts.js";

const HEALTH_POLL_MS = 2_000;

/** A screen: its path, the text of its link, its content, and whether only operators see the link. */
interface ScreenEntry {
  readonly path: string;
  readonly text: string;
  readonly content: ComponentType;
  readonly isForOperators?: true;
}

/** In the order of their links. */
const SCREENS: readonly ScreenEntry[] = [
  { path: "", text: TEXTS.nav.overview, content: Overview },
  { path: "deliveries", text: TEXTS.nav.deliveries, content: Deliveries },
  { path: "calls", text: TEXTS.nav.calls, content: Calls },
  { path: "replays", text: TEXTS.nav.replays, content: Replays },
  { path: "people", text: TEXTS.nav.people, content: People },
  { path: "settings", text: TEXTS.nav.settings, content: SettingsScreen },
  { path: "set-up", text: TEXTS.nav.setUp, content: SetUp, isForOperators: true },
];

const root = document.getElementById("console");

if (root !== null) render(<App />, root);

void beginSession();

function App() {
  const { value } = session;
  const lastUser = useRef<User>(undefined);
  if (value.kind === "asking") return <p class="start">{TEXTS.loading}</p>;
  if (value.kind === "in") lastUser.current = value.user;
  if (value.kind === "out" && value.isLeft) lastUser.current = undefined;
  const user = lastUser.current;
  // Entered values stay while a person whose session has ended logs in again.
  return (
    <>
      {value.kind === "out" ? <Login reason={value.reason} /> : null}
      {user === undefined ? null : (
        <div hidden={value.kind === "out"}>
          <Frame user={user} />
        </div>
      )}
    </>
  );
}

function Frame({ user }: { readonly user: User }) {
  return (
    <>
      <header>
        <a class="skip" href={`${location.pathname}${location.search}#content`}>
          {TEXTS.skip}
        </a>
        <span class="brand">{TEXTS.product}</span>
        <Sections user={user} />
        <Status />
        <span class="user">{TEXTS.signedInAs(user.name)}</span>
        <button type="button" onClick={() => void logOut()}>
          {TEXTS.logOut}
        </button>
      </header>
      {isReachable.value ? null : (
        <p class="note bad" role="alert">
          {TEXTS.unreachable}
        </p>
      )}
      <CurrentScreen />
    </>
  );
}

function Sections({ user }: { readonly user: User }) {
  const screens = SCREENS.filter(({ isForOperators }) => isForOperators !== true || user.role === "operator");
  const [section] = place.value.path.split("/");
  return (
    <nav aria-label={TEXTS.sections}>
      {screens.map(({ path, text }) => (
        <Link key={path} to={path} isCurrent={path === section}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** The health of the server, and its version. */
function Status() {
  const { value: health, fault } = usePolled<HealthJson>("healthz", HEALTH_POLL_MS);
  const version = usePolled<VersionJson>("api/version", 0).value;
  return (
    <span class="status">
      {health === undefined || fault !== undefined ? null : (
        <Chip tone={health.healthy ? "good" : "bad"}>
          {health.healthy ? TEXTS.healthy : TEXTS.unhealthy(health.reason ?? "")}
        </Chip>
      )}{" "}
      <span class="faint">
        {version?.server} {version?.program}
      </span>
    </span>
  );
}

/** The screen of the address. */
function CurrentScreen() {
  const [section = "", id] = place.value.path.split("/");
  if (section === "deliveries" && id !== undefined) return <DeliveryScreen key={id} id={unescaped(id)} />;
  if (id !== undefined) return <Missing />;
  const Content = SCREENS.find(({ path }) => path === section)?.content ?? Missing;
  return <Content />;
}

/** The text behind the escapes of an address; as it is if they are none. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Missing() {
  return (
    <Screen title={TEXTS.notFound.title}>
      <p>{TEXTS.notFound.text}</p>
    </Screen>
  );
}

function Login({ reason }: { readonly reason?: string | undefined }) {
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
