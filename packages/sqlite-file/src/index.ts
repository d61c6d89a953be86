// Postrider's stores on a SQLite file, as durable as a server needs them.

export { openStores, type OpenStoresOptions, type Stores } from "./open-stores.js";
