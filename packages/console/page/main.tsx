// The script of the page: shows the console in its document.

import { render } from "preact";
import { App } from "./app.js";
import { beginSession } from "./base/session.js";

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
void beginSession();
