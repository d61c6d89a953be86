// Runs in a page: what goes wrong with IndexedDB and Web Locks, done to the page before or while it has a storage.

export {
  backlog,
  call,
  callKept,
  closeStorage,
  flush,
  keep,
  kept,
  keepTwice,
  keptInTime,
  locks,
  look,
  openStorage,
  start,
} from "./call-storage.js";

/** By its name, each fault of the browser; those that come before there is a storage are of a database called `calls`. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  "that is absent": () => replace(globalThis, "indexedDB", undefined),
  "that is blocked": () => Object.defineProperty(globalThis, "indexedDB", { get: refuse }),
  "whose database is of a newer version": () => open(2),
  "whose database has other tables": () => open(1),
  "that does not answer": async () => {
    replace(globalThis, "connection", await open(1));
    // Waits until that connection is closed, and all that is asked for later waits behind it.
    indexedDB.deleteDatabase("calls");
  },
  "that does not answer once": () => {
    const request = Reflect.get(IDBFactory.prototype, "open") as (...names: readonly unknown[]) => object;
    replace(indexedDB, "open", () => {
      replace(indexedDB, "open", request);
      return {};
    });
  },
  "no locks": () => replace(navigator, "locks", undefined),
  stolen: async () => {
    const { held = [] } = await navigator.locks.query();
    await Promise.all(held.map(({ name = "" }) => navigator.locks.request(name, { steal: true }, () => undefined)));
  },
  deleted: () => ended(indexedDB.deleteDatabase("calls")),
  "closed without an event": () => {
    const begin = Reflect.get(IDBDatabase.prototype, "transaction") as (...names: readonly unknown[]) => IDBTransaction;
    replace(IDBDatabase.prototype, "transaction", function closeFirst(this: IDBDatabase, ...names: readonly unknown[]) {
      replace(IDBDatabase.prototype, "transaction", begin);
      this.close();
      return Reflect.apply(begin, this, names);
    });
  },
};

export async function spoil(name: string): Promise<void> {
  await FAULTS[name]?.();
}

function refuse(): never {
  throw new DOMException("The operation is insecure.", "SecurityError");
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

function open(version: number): Promise<unknown> {
  return ended(indexedDB.open("calls", version));
}

function ended(request: IDBOpenDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no result"));
    request.onblocked = () => reject(new Error("blocked"));
  });
}
