// The places where a bundled program runs: a page and a Web Worker of a browser, Node, and workerd. Each takes its code and an
// endpoint, and resolves with what flushing has answered.

import { callText, createWorkerd, runProgram } from "./run-in.js";
import { reportIn } from "./runtimes.js";

/** By its name, each place: what the code is built for, and how it runs there. `page` is an empty page of a browser. */
export const PLACES = {
  page: { target: "browser", run: inPage },
  "Web Worker": { target: "browser", run: inWebWorker },
  Node: { target: "node", run: inNode },
  workerd: { target: "worker", run: inWorkerd },
};

async function inPage(code, endpoint, page) {
  await page.addScriptTag({ content: code, type: "module" });
  return page.evaluate(callText(endpoint));
}

function inWebWorker(code, endpoint, page) {
  const script = `${code}\n;${callText(endpoint)}.then(postMessage);`;
  return page.evaluate(`new Promise((resolve, reject) => {
    const url = URL.createObjectURL(new Blob([${JSON.stringify(script)}], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  })`);
}

async function inNode(code, endpoint) {
  const program = `${code}\n;${callText(endpoint)}.then((report) => console.log("REPORT", JSON.stringify(report)));`;
  return reportIn(await runProgram({ command: process.execPath, file: "program.mjs", code: program }));
}

async function inWorkerd(code, endpoint) {
  const handler = `export default { fetch: async () => Response.json(await ${callText(endpoint)}) };`;
  const workerd = createWorkerd(`${code}\n;${handler}`);
  try {
    const answer = await workerd.dispatchFetch("http://worker.example/");
    return await answer.json();
  } finally {
    await workerd.dispose();
  }
}
