// Writes docs/renames.md: the present name of every exported name and source file of the base commit. Moved files are found
// by git, unchanged names by a comparison of exports; test/house/renames.json has a row for each other one. Fails and lists
// those that have neither. Run by `node test/house/write-renames.js [BASE]`; needs the history since the base.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  brokenIn,
  isSource,
  namesIn,
  placeOf,
  presentNames,
  renamesPage,
  ROOT,
  rowsOf,
  sourcesOf,
  tokensOf,
} from "./renames.js";

const PAGE = join(ROOT, "docs/renames.md");
const TABLE = join(ROOT, "test/house/renames.json");
const SIMILAR = "-M30%";

/** The rows for all names and files of the base. `texts` and `present` hold sources by path, `moved` the moved files. */
export function compare({ texts, present, moved, rows, entriesThen, entriesNow }) {
  const now = new Map([...present].map(([path, text]) => [path, namesIn(text)]));
  const then = new Map([...texts].map(([path, text]) => [path, namesIn(text)]));
  const byHand = handRows(rows);
  const allies = alliesOf(moved);
  const found = { names: [], crossed: [], files: [], missing: [] };
  for (const [path, { declared }] of then) {
    const place = byHand.files.get(path) ?? moved.get(path) ?? (present.has(path) ? path : undefined);
    if (!byHand.files.has(path)) {
      if (place === undefined) found.missing.push(`file ${path}`);
      else if (place !== path) found.files.push(fileRow(path, place));
    }
    for (const name of declared) {
      const fate = fateOf({ path, place, name, then, now, byHand, allies });
      switch (fate.kind) {
        case "unknown":
          found.missing.push(`name ${name} of ${path}${hint(path, place, then, now)}`);
          break;
        case "hidden":
          found.names.push([
            folderOf(path),
            `\`${name}\``,
            `removed as an export; still in \`${shortly(folderOf(path), place)}\``,
          ]);
          break;
        case "kept":
          if (folderOf(fate.place) !== folderOf(path))
            found.crossed.push({ folder: folderOf(path), name, place: fate.place });
          break;
        case "by-hand":
      }
    }
  }
  const imports = importRows(entriesThen, entriesNow, { byHand, crossed: found.crossed });
  return {
    missing: found.missing,
    files: found.files,
    imports,
    names: [...found.names, ...crossingRows(found.crossed)],
  };
}

/** Packages that files of a package went to, by `from to`: only there may a name be the same that is gone here. */
function alliesOf(moved) {
  return new Set([...moved].map(([path, place]) => `${folderOf(path)} ${folderOf(place)}`));
}

/** The present place of a name that a file of the base exports. */
function fateOf({ path, place, name, then, now, byHand, allies }) {
  const folder = folderOf(path);
  const here = now.get(place);
  if (here?.declared.includes(name) || here?.passedOn.includes(name)) return { kind: "kept", place };
  if (byHand.names.has(`${folder} ${name}`)) return { kind: "by-hand" };
  const isNewIn = ([other, { declared }]) => declared.includes(name) && !then.get(other)?.declared.includes(name);
  const holders = [...now].filter(isNewIn).map(([other]) => other);
  const near =
    holders.find((other) => folderOf(other) === folder) ??
    holders.find((other) => allies.has(`${folder} ${folderOf(other)}`));
  if (near !== undefined) return { kind: "kept", place: near };
  return { kind: here?.inner.includes(name) ? "hidden" : "unknown" };
}

/** One row for all names of a package that are in one file of another package now. */
function crossingRows(crossed) {
  const groups = new Map();
  for (const { folder, name, place } of crossed) add(groups, `${folder}|${place}`, name);
  return [...groups].map(([key, names]) => {
    const [folder, place] = key.split("|");
    return [folder, listed(names.sort()), `the same, in \`${place}\``];
  });
}

/** The names that a row may have: those that its file has now and did not have. */
function hint(path, place, then, now) {
  const before = new Set(then.get(path).declared);
  const after = (now.get(place)?.declared ?? []).filter((name) => !before.has(name));
  return after.length === 0 ? "" : ` (now there: ${after.join(", ")})`;
}

function handRows(rows) {
  const names = new Map();
  const homes = new Map();
  const files = new Map();
  for (const [folder, old, now] of rows) {
    const tokens = tokensOf(old);
    const next = tokensOf(now);
    for (const [index, name] of tokens.names.entries()) {
      names.set(`${folder} ${name}`, next.names.length === tokens.names.length ? [next.names[index]] : next.names);
      homes.set(`${folder} ${name}`, next.paths[0] === undefined ? folder : folderOf(placeOf(folder, next.paths[0])));
    }
    if (tokens.names.length > 0) continue;
    for (const path of tokens.paths) {
      const place = next.paths[tokens.paths.length === next.paths.length ? tokens.paths.indexOf(path) : 0];
      files.set(placeOf(folder, path), place === undefined ? null : placeOf(folder, place));
    }
  }
  return { names, homes, files };
}

/** Names that users import: from where they did, and from where they do now. */
function importRows(entriesThen, entriesNow, { byHand, crossed }) {
  const groups = new Map();
  const homes = new Map(crossed.map(({ folder, name, place }) => [`${folder} ${name}`, folderOf(place)]));
  for (const [from, { folder, names }] of entriesThen) {
    for (const name of names) {
      const key = `${folder} ${name}`;
      const [next = name] = byHand.names.get(key) ?? [];
      const home = byHand.homes.get(key) ?? homes.get(key) ?? folder;
      const has = (entry) => entriesNow.get(entry)?.folder === home && entriesNow.get(entry).names.has(next);
      const to = [from, ...entriesNow.keys()].find(has);
      if (to !== from) add(groups, `\`${from}\`|${to === undefined ? "not exported" : `\`${to}\``}`, { name, next });
    }
  }
  return [...groups].map(([key, members]) => {
    const [from, to] = key.split("|");
    const isSame = to === "not exported" || members.every(({ name, next }) => name === next);
    return [from, listed(members.map(({ name }) => name)), to, isSame ? "" : listed(members.map(({ next }) => next))];
  });
}

function add(groups, key, member) {
  groups.set(key, [...(groups.get(key) ?? []), member]);
}

function listed(names) {
  return names.map((name) => `\`${name}\``).join(", ");
}

function fileRow(path, place) {
  const folder = folderOf(path);
  return [folder, `\`${shortly(folder, path)}\``, `\`${shortly(folder, place)}\``];
}

function folderOf(path) {
  return path.startsWith("test/") ? "tests" : path.split("/")[1];
}

function shortly(folder, path) {
  const start = folder === "tests" ? "test/" : `packages/${folder}/src/`;
  return path.startsWith(start) ? path.slice(start.length) : path;
}

function git(...words) {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Undefined if this clone does not have it. */
function commitOf(name) {
  const answer = spawnSync("git", ["rev-parse", "--verify", `${name}^{commit}`], { cwd: ROOT, encoding: "utf8" });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

function pathsAt(base) {
  return git("ls-tree", "-r", "--name-only", base, "packages", "test").trim().split("\n");
}

function textsAt(base, paths) {
  const answer = execFileSync("git", ["cat-file", "--batch"], {
    cwd: ROOT,
    input: paths.map((path) => `${base}:${path}\n`).join(""),
    maxBuffer: 1 << 28,
  });
  let at = 0;
  return new Map(
    paths.map((path) => {
      const start = answer.indexOf(10, at) + 1;
      const size = Number(answer.toString("utf8", at, start).trim().split(" ")[2]);
      at = start + size + 1;
      return [path, answer.toString("utf8", start, start + size)];
    }),
  );
}

/** Follows each path from commit to commit, since a file that moved first and was rewritten later is not alike any more. */
function movesSince(base, paths) {
  const steps = renamesIn(
    git(
      "log",
      "--topo-order",
      "--reverse",
      "--no-merges",
      SIMILAR,
      "-l0",
      "--diff-filter=R",
      "--name-status",
      "--format=",
      `${base}..HEAD`,
      "--",
      "packages",
      "test",
    ),
  );
  const whole = new Map(
    renamesIn(git("diff", SIMILAR, "-l0", "--diff-filter=R", "--name-status", base, "--", "packages", "test")),
  );
  const gone = paths.filter((path) => !existsSync(join(ROOT, path)));
  return new Map(
    gone.map((path) => [path, endOf(path, steps) ?? whole.get(path)]).filter(([, place]) => place !== undefined),
  );
}

function endOf(path, steps) {
  const reached = new Set([path]);
  for (const [from, to] of steps) if (reached.has(from)) reached.add(to);
  return [...reached].reverse().find((place) => existsSync(join(ROOT, place)));
}

function renamesIn(output) {
  return [...output.matchAll(/^R\d*\t(.+)\t(.+)$/gm)].map(([, from, to]) => [from, to]);
}

/** What each entry exports, by its specifier; `read` gives the text of a path, or undefined. */
function entriesOf(paths, read) {
  const manifests = paths.filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  return new Map(
    manifests.flatMap((path) => {
      const { name, exports = {} } = JSON.parse(read(path));
      const folder = folderOf(path);
      return Object.entries(exports)
        .filter(([, target]) => typeof target === "object")
        .map(([key, { types }]) => {
          const source = `packages/${folder}/${types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts")}`;
          const { declared, passedOn } = namesIn(read(source) ?? "");
          return [name + key.slice(1), { folder, names: new Set([...declared, ...passedOn]) }];
        });
    }),
  );
}

function main([argument]) {
  const kept = JSON.parse(readFileSync(TABLE, "utf8"));
  const base = commitOf(argument ?? kept.base);
  if (base === undefined) {
    console.error(`write-renames: this clone does not have commit ${argument ?? kept.base}; run git fetch --unshallow`);
    process.exitCode = 1;
    return;
  }
  const then = pathsAt(base);
  const wanted = then.filter((path) => isSource(path) || /^packages\/[^/]+\/package\.json$/.test(path));
  const read = textsAt(base, wanted);
  const onDisk = (path) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined);
  const present = new Map(sourcesOf(ROOT).map((path) => [path, onDisk(path)]));
  const manifests = git("ls-files", "-co", "--exclude-standard", "packages/*/package.json").trim().split("\n");
  const moved = movesSince(base, then);
  const known = {
    texts: new Map([...read].filter(([path]) => isSource(path))),
    present,
    moved,
    entriesThen: entriesOf(wanted, (path) => read.get(path)),
    entriesNow: entriesOf(manifests.filter(onDisk), onDisk),
  };
  const surface = presentNames();
  const rows = withRowsOfThePage(kept, known, surface);
  const found = compare({ ...known, rows: rows.rows });
  const tests = [...moved].filter(([path]) => path.startsWith("test/")).map(([path, place]) => fileRow(path, place));
  const sections = sectionsOf({ ...found, files: [...found.files, ...tests] }, rows, known.texts);
  const page = renamesPage(base, sections);
  writeFileSync(TABLE, `${JSON.stringify({ base, ...rows }, null, 2)}\n`);
  writeFileSync(PAGE, page);
  const problems = [...found.missing, ...rowsOf(page).flatMap((row) => brokenIn(row, surface))];
  if (problems.length === 0) return;
  console.error(
    `write-renames: ${problems.length} without a present equal or a true row; add one to docs/renames.md, or`,
  );
  console.error(`"removed" with the reason, and run this again:\n${problems.join("\n")}`);
  process.exitCode = 1;
}

/** The committed rows, and those added to the page or changed there by hand. What the comparison finds is left out. */
function withRowsOfThePage(kept, known, surface) {
  const rows = new Map(kept.rows.map((row) => [keyOf(row), row]));
  const commands = new Map(kept.commands);
  const alone = compare({ ...known, rows: [] });
  const isOpen = (row) => {
    const { names, paths } = tokensOf(row[1]);
    const isFile = names.length === 0 && paths.some((path) => !path.endsWith("/"));
    if (isFile) return paths.some((path) => alone.missing.includes(`file ${placeOf(row[0], path)}`));
    if (names.length === 0) return paths.length === 0;
    const isName = names.some((name) => isOfBase(row[0], name, known.texts));
    return (
      !isName ||
      names.some((name) => alone.missing.some((text) => text.startsWith(`name ${name} of packages/${row[0]}/`)))
    );
  };
  const broken = (row) => brokenIn({ section: "names", cells: row }, surface).length > 0;
  for (const { cells } of rowsOf(existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "")) {
    if (cells.length === 2) commands.set(...cells);
    if (cells.length !== 3 || !isOpen(cells)) continue;
    const before = rows.get(keyOf(cells));
    // The page was written from the committed rows, so one that differs was changed by hand since.
    if (before === undefined || broken(before) || !broken(cells)) rows.set(keyOf(cells), cells);
  }
  return { rows: sorted([...rows.values()]), commands: sorted([...commands]) };
}

function sectionsOf(found, { rows, commands }, texts) {
  const isName = ([folder, old]) => tokensOf(old).names.some((name) => isOfBase(folder, name, texts));
  const isFile = ([, old]) => tokensOf(old).names.length === 0 && tokensOf(old).paths.length > 0;
  return {
    imports: found.imports,
    names: [...found.names, ...rows.filter((row) => !isFile(row) && isName(row))],
    files: [...found.files, ...rows.filter(isFile)],
    others: rows.filter((row) => !isFile(row) && !isName(row)),
    commands,
  };
}

const declaredThen = new WeakMap();

function isOfBase(folder, name, texts) {
  if (!declaredThen.has(texts)) {
    const all = [...texts].flatMap(([path, text]) => namesIn(text).declared.map((one) => `${folderOf(path)} ${one}`));
    declaredThen.set(texts, new Set(all));
  }
  return declaredThen.get(texts).has(`${folder} ${name}`);
}

function keyOf([folder, old]) {
  return `${folder} ${old.replace(/\s+/g, " ")}`;
}

function sorted(rows) {
  return rows
    .map((row) => [row, row.join("|")])
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([row]) => row);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
