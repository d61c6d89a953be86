// `npm run audit`: checks the licences of what an install brings, and asks the registry for known vulnerabilities and for
// signatures. Not a part of `npm test`, since the registry's answer may change at any time. If the registry does not answer,
// that is reported and is not a failure; a refused licence, a vulnerability or a bad signature is one.

import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkLicences } from "./licences.js";

const QUESTIONS = [["audit"], ["audit", "signatures"]];

/** How npm reports that the registry cannot be reached or does not answer; the titles of advisories are in other lines. */
const NO_ANSWER =
  /^npm error .*(?:ENOAUDIT|audit endpoint returned an error|does not (?:implement|support)|no dependencies to audit that were installed from a supported registry|E(?:404|405|501)\b|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT)/m;

/**
 * The result of one request to the registry.
 *
 * @param {{ readonly status: number | null, readonly output: string }} run - how npm ended, and all that it printed
 * @returns {"clean" | "bad" | "no-answer"}
 */
export function judgeAudit({ status, output }) {
  if (status === 0) return "clean";
  return NO_ANSWER.test(output) ? "no-answer" : "bad";
}

function ask(words) {
  const { status, stdout, stderr } = spawnSync("npm", words, { encoding: "utf8" });
  const verdict = judgeAudit({ status, output: `${stdout}${stderr}` });
  console.log(`${stdout}${stderr}`.trim());
  if (verdict === "no-answer")
    console.log(`npm ${words.join(" ")}: NOT CHECKED, the registry in use has no answer to this`);
  return verdict;
}

function askForLicences() {
  const { read, problems } = checkLicences(fileURLToPath(new URL("../..", import.meta.url)));
  console.log(problems.length === 0 ? `the licences of ${read.length} packages are permissive` : problems.join("\n"));
  return problems.length === 0 ? "clean" : "bad";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const verdicts = [askForLicences(), ...QUESTIONS.map(ask)];
  if (verdicts.includes("bad")) process.exitCode = 1;
}
