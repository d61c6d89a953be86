// Finds the page in which the client runs, and what it can still send when it is left. A runtime without pages has none.

/** A page in which the client runs. */
export interface WebPage {
  /** True if `fetch` can send requests that outlive the page. */
  readonly keepsAlive: boolean;
  /** Sends a body, whose answer is never known; false if the browser accepts no more. */
  beacon(url: string, body: string): boolean;
  /** Calls `leave` each time that the page is hidden or left, since it may not come back. Returns a function that stops that. */
  onLeft(leave: () => void): () => void;
}

interface Globals {
  readonly document?: { readonly visibilityState?: string };
  readonly navigator: { sendBeacon?(url: string, body: string): boolean };
  readonly Request?: { readonly prototype: object };
  readonly addEventListener?: Listen;
  readonly removeEventListener: Listen;
}

type Listen = (type: string, listener: Listener) => void;

type Listener = (event: { readonly type: string }) => void;

const LEAVING = ["pagehide", "visibilitychange"];

export function findPage(): WebPage | undefined {
  const { document, navigator, Request, addEventListener, removeEventListener } = globalThis as unknown as Globals;
  if (document === undefined || addEventListener === undefined) return undefined;
  return {
    keepsAlive: Request !== undefined && "keepalive" in Request.prototype,
    beacon: (url, body) => navigator.sendBeacon?.(url, body) === true,
    onLeft: (leave) => {
      const listener: Listener = ({ type }) => {
        if (type === "pagehide" || document.visibilityState === "hidden") leave();
      };
      for (const type of LEAVING) addEventListener(type, listener);
      return () => {
        for (const type of LEAVING) removeEventListener(type, listener);
      };
    },
  };
}
