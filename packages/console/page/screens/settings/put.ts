// How the parts of the screen change the settings.

import type { Document } from "../../settings/document.js";

/** Puts a document over a revision: the latest one if none is given. Resolves with whether it was put; if not, the screen says why. */
export type Put = (document: Document, over?: number | null) => Promise<boolean>;
