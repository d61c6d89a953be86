// Mistakes by which a config is no JSON, or no file.

import { FOLDER, good, type Mistake, NOTHING } from "./mistake.js";

export const JSON_MISTAKES: readonly Mistake[] = [
  {
    what: "a trailing comma",
    content: `{\n  "store": "memory:",\n}`,
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 3, column 1, after a comma that no further entry follows (bad-json)",
    ],
  },
  {
    what: "a trailing comma in a list",
    content: '{ "network": { "allow": ["10.0.0.1",] } }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 37, after a comma that no further entry follows (bad-json)",
    ],
  },
  {
    what: "single quotes",
    content: "{ 'store': 'memory:' }",
    status: 2,
    says: [
      'postrider.json: expected JSON; the first error is at line 1, column 3, where a quote begins that is not "; JSON has no other quotes (bad-json)',
    ],
  },
  {
    what: "a key without quotes",
    content: '{ store: "memory:" }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 3, where a key begins without double quotes (bad-json)",
    ],
  },
  {
    what: "a text without quotes",
    content: '{ "store": memory }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 12, where a text without double quotes begins, or a word other than true, false and null (bad-json)",
    ],
  },
  {
    what: "a comment",
    content: '{\n  "store": "memory:" // for now\n}',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 2, column 22, where a comment begins, which JSON does not have (bad-json)",
    ],
  },
  {
    what: "a comment with a hash",
    content: "# ours\n{}",
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 1, where a comment begins, which JSON does not have (bad-json)",
    ],
  },
  {
    what: "a missing comma",
    content: '{\n  "store": "memory:"\n  "apiToken": "env:T"\n}',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 3, column 3, before which a comma or a colon is missing (bad-json)",
    ],
  },
  {
    what: "a missing colon",
    content: '{ "store" "memory:" }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 11, before which a comma or a colon is missing (bad-json)",
    ],
  },
  {
    what: "an equals sign",
    content: '{ "store" = "memory:" }',
    status: 2,
    says: ["postrider.json: expected JSON; the first error is at line 1, column 11, where JSON has a colon (bad-json)"],
  },
  {
    what: "a missing value",
    content: '{ "store": }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 12, where a value is missing, or something is closed that was not opened (bad-json)",
    ],
  },
  {
    what: "two commas",
    content: '{ "network": { "allow": ["10.0.0.1",,"10.0.0.2"] } }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 37, where a value is missing (bad-json)",
    ],
  },
  {
    what: "a file cut short",
    content: '{ "sources": [{ "id": "website"',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 32, where the text ends: a closing bracket, brace or quote is missing (bad-json)",
    ],
  },
  {
    what: "a brace too many",
    content: '{ "store": "memory:" }}',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 23, where a value is missing, or something is closed that was not opened (bad-json)",
    ],
  },
  {
    what: "an empty file",
    content: "",
    status: 2,
    says: ["postrider.json: expected JSON; the first error is at line 1, column 1; the file is empty (bad-json)"],
  },
  {
    what: "a file of blank lines",
    content: "\n\n",
    status: 2,
    says: ["postrider.json: expected JSON; the first error is at line 3, column 1; the file is empty (bad-json)"],
  },
  {
    what: "typographic quotes",
    content: "{ “store”: “memory:” }",
    status: 2,
    says: [
      'postrider.json: expected JSON; the first error is at line 1, column 3, where a quote begins that is not "; JSON has no other quotes (bad-json)',
    ],
  },
  {
    what: "a path with single backslashes",
    content: '{ "store": "sqlite:C:\\data\\p.db" }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 22, where a text has a backslash; write \\\\ (bad-json)",
    ],
  },
  {
    what: "a line break in a text",
    content: '{ "store": "memory:\n" }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 20, where a text has a line break; write \\n, or close the text (bad-json)",
    ],
  },
  {
    what: "True as in Python",
    content: '{ "destinations": True }',
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 19, where a text without double quotes begins, or a word other than true, false and null (bad-json)",
    ],
  },
  {
    what: "YAML",
    content: "store: memory\nsources:\n  - id: website",
    status: 2,
    says: [
      "postrider.json: expected JSON; the first error is at line 1, column 1, where the file has to begin with { (bad-json)",
    ],
  },
  {
    what: "UTF-16",
    content: Buffer.from(`\ufeff${JSON.stringify(good())}`, "utf16le"),
    status: 2,
    says: ["postrider.json: expected a file in UTF-8, not UTF-16; save it again in UTF-8 (unreadable)"],
  },
  {
    what: "UTF-16 without a mark",
    content: Buffer.from(JSON.stringify(good()), "utf16le"),
    status: 2,
    says: ["postrider.json: expected a file in UTF-8, not UTF-16; save it again in UTF-8 (unreadable)"],
  },
  {
    what: "Latin-1",
    content: Buffer.from('{ "store": "sqlite:b\u00fccher.db" }', "latin1"),
    status: 2,
    says: ["postrider.json: expected a text file in UTF-8 (unreadable)"],
  },
  {
    what: "a binary file",
    content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0xfe, 0xe9]),
    status: 2,
    says: ["postrider.json: expected a text file in UTF-8 (unreadable)"],
  },
  {
    what: "a folder in place of the file",
    content: FOLDER,
    status: 2,
    says: ["postrider.json: expected a file, not a folder (unreadable)"],
  },
  {
    what: "a file that does not exist",
    content: NOTHING,
    status: 2,
    says: ["postrider.json: expected a file that exists (unreadable)"],
  },
  {
    what: "a list in place of an object",
    content: "[]",
    status: 2,
    says: ["postrider.json: expected an object (wrong-type)"],
  },
];
