// What a page can do when it is left. A runtime without pages has none.

/** A page in which the client runs. */
export interface WebPage {
  /** Whether `fetch` can send requests that outlive the page. */
  readonly keepsAlive: boolean;
  /** Sends a body of which no answer is heard; false if the browser sends no more. */
  beacon(url: string, body: string): boolean;
  /** Calls `leave` each time that the page is hidden or left, from which it may not come back. Returns a function that stops that. */
  onLeft(leave: () => void): () => void;
}

interface Globals {
  readonly document?: { readonly visibilityState?: string };
  readonly navigator?: { sendBeacon?(url: string, body: string): boolean };
  readonly Request?: { readonly prototype: object };
  addEventListener?(type: string, listener: Listener): void;
  removeEventListener?(type: string, listener: Listener): void;
}

type Listener = (event: { readonly type: string }) => void;

const LEAVING = ["pagehide", "visibilitychange"];

export function findPage(): WebPage | undefined {
  const globals = globalThis as Globals;
  const { document, navigator, Request } = globals;
  if (document === undefined) return undefined;
  return {
    keepsAlive: Request !== undefined && "keepalive" in Request.prototype,
    beacon: (url, body) => navigator?.sendBeacon?.(url, body) ?? false,
    onLeft: (leave) => {
      const listener: Listener = ({ type }) => {
        if (type === "pagehide" || document.visibilityState === "hidden") leave();
      };
      for (const type of LEAVING) globals.addEventListener?.(type, listener);
      return () => {
        for (const type of LEAVING) globals.removeEventListener?.(type, listener);
      };
    },
  };
}
