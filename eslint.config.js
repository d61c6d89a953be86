// The rules that a linter can check: style, what each package may use, and no ignored promise or Result. Imports between
// packages are checked by .dependency-cruiser.cjs instead. Each ban that is defined here has a test in
// test/house/lint-bans.test.ts.

import tseslint from "typescript-eslint";

const SOURCES = "packages/*/src/**/*.ts";
/** The page of the console, which runs in a browser. */
const PAGE = "packages/console/page/**/*.{ts,tsx}";
const TESTS = "test/**/*.ts";
const CONFIGS = "**/*.config.{js,ts}";

/** The only files of core that may see node:crypto. */
const SIGNING = ["packages/core/src/request/{sign,verify}-*.ts"];

// ESLint replaces a rule's options where two blocks meet, so each list below is written once and joined where needed.

const EXPORT_BANS = [
  ban("ExportDefaultDeclaration, ExportSpecifier[exported.name='default']", "Export by name: a name can be searched."),
  ban("ExportAllDeclaration", "List what is exported: the public face of a package is written by hand."),
];

// fp-ts and io-ts have folders without an exports map: any other path type-checks and then crashes in plain Node.
const FP_TRAP = {
  regex: "^(fp-ts|io-ts)/(?!lib/.+\\.js$)",
  message: "Only the package root or lib/X.js loads in plain Node.",
};
const FP_TRAP_BAN = ban(
  "ImportExpression > Literal[value=/^(fp-ts|io-ts)\\u002F(?!lib\\u002F.+\\.js$)/]",
  FP_TRAP.message,
);

const PAGE_IMPORT_BAN = ban(
  "ImportDeclaration[source.value=/^@?postrider/]:not([importKind='type'][source.value='@postrider/http/api'])",
  "Import types of @postrider/http/api, which leave no code in the page.",
);

const HOUSE_BANS = [
  ban("ClassDeclaration[declare=false], ClassExpression", "Write a createX function that returns a literal."),
  ban("SwitchStatement > SwitchCase[test=null]", "List every case: the compiler then finds the one that is forgotten."),
  ban("TSEnumDeclaration", "Write a closed union."),
  ban(
    ":matches(FunctionDeclaration, VariableDeclarator, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/^get[A-Z]|Impl$/]",
    "Name it after what it answers: no getX, no XImpl.",
  ),
];

const PLATFORM = "Time and randomness come in through the Clock and Random ports; only packages/system touches these.";
const TIMERS = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"];
const CLOCK_GLOBALS = [...TIMERS, "performance"].map((name) => ({ name, message: PLATFORM }));
const CLOCK_PROPERTIES = [
  ["Date", "now"],
  ["Math", "random"],
  ["AbortSignal", "timeout"],
  ["process", "hrtime"],
  ["process", "uptime"],
].map(([object, property]) => ({ object, property, message: PLATFORM }));
const CLOCK_BANS = [
  ban("NewExpression[callee.name='Date'][arguments.length=0]", PLATFORM),
  ban("CallExpression[callee.name='Date']", PLATFORM),
  ban("MemberExpression[property.name=/^(getRandomValues|randomUUID|randomBytes|randomInt)$/]", PLATFORM),
];
const CLOCK_MODULES = {
  regex: "^(node:)?(timers|timers/promises|perf_hooks)$",
  message: PLATFORM,
};
const CRYPTO_NAMES = {
  regex: "^(node:)?crypto$",
  importNamePattern: "^(random|getRandomValues|webcrypto)",
  message: PLATFORM,
};

const PURE = "Core decides, it does nothing: answer with a union, take what you need as an argument.";
const PURE_BANS = [
  ban("ThrowStatement", PURE),
  ban(":function[async=true], AwaitExpression", PURE),
  ban("ImportExpression", PURE),
];
const PURE_IMPORTS = { regex: "^[^.]", message: "Core imports nothing but itself." };

const MAY_READ_CLOCK = ["packages/system/src/**"];

export default tseslint.config(
  { ignores: ["**/dist/", "coverage/", "reports/", "node_modules/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: [SOURCES, PAGE, TESTS],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { house: { rules: { "no-unused-result": noUnusedResult() } } },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-floating-promises": ["error", { checkThenables: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: false },
      ],
      "house/no-unused-result": "error",
    },
  },
  {
    files: ["**/*.{ts,tsx,js,cjs}"],
    languageOptions: tseslint.configs.base.languageOptions,
    rules: {
      eqeqeq: "error",
      "no-control-regex": "error",
      "no-fallthrough": "error",
      "no-irregular-whitespace": "error",
      "no-param-reassign": "error",
      "no-restricted-imports": ["error", { patterns: [FP_TRAP] }],
      "no-restricted-syntax": ["error", ...EXPORT_BANS, FP_TRAP_BAN],
      "no-self-compare": "error",
      "no-unreachable-loop": "error",
      "no-useless-escape": "error",
      "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx"] }],
      "object-shorthand": "error",
      "prefer-template": "error",
    },
  },
  {
    files: [SOURCES],
    rules: {
      complexity: ["error", { max: 12, variant: "modified" }],
      "max-depth": ["error", 2],
      "max-lines": ["error", 250],
      // A factory contains its functions, so it may have many lines; the number of statements of each function is limited.
      "max-lines-per-function": ["error", { max: 100, skipComments: true, skipBlankLines: true }],
      "max-nested-callbacks": ["error", 3],
      // Three parameters, and `now`.
      "max-params": ["error", 4],
      "max-statements": ["error", 20],
      "no-console": "error",
      "no-restricted-globals": ["error", { globals: CLOCK_GLOBALS, checkGlobalObject: true }],
      "no-restricted-imports": ["error", { patterns: [FP_TRAP, CLOCK_MODULES, CRYPTO_NAMES] }],
      "no-restricted-properties": ["error", ...CLOCK_PROPERTIES],
      "no-restricted-syntax": ["error", ...EXPORT_BANS, FP_TRAP_BAN, ...HOUSE_BANS, ...CLOCK_BANS],
    },
  },
  {
    files: [PAGE],
    rules: {
      complexity: ["error", { max: 12, variant: "modified" }],
      "max-depth": ["error", 2],
      "max-lines": ["error", 250],
      "max-lines-per-function": ["error", { max: 100, skipComments: true, skipBlankLines: true }],
      "max-params": ["error", 4],
      "max-statements": ["error", 20],
      "no-console": "error",
      "no-restricted-syntax": ["error", ...EXPORT_BANS, FP_TRAP_BAN, ...HOUSE_BANS, PAGE_IMPORT_BAN],
    },
  },
  {
    // The one list of all texts has the length that it needs.
    files: ["packages/console/page/texts.ts"],
    rules: { "max-lines": "off" },
  },
  {
    files: ["packages/core/src/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [PURE_IMPORTS] }],
      "no-restricted-syntax": ["error", ...EXPORT_BANS, ...HOUSE_BANS, ...CLOCK_BANS, ...PURE_BANS],
    },
  },
  {
    files: SIGNING,
    rules: { "no-restricted-imports": ["error", { patterns: [{ ...PURE_IMPORTS, regex: "^(?!\\.|node:crypto$)" }] }] },
  },
  {
    files: MAY_READ_CLOCK,
    rules: {
      "no-restricted-globals": "off",
      "no-restricted-imports": ["error", { patterns: [FP_TRAP] }],
      "no-restricted-properties": "off",
      "no-restricted-syntax": ["error", ...EXPORT_BANS, FP_TRAP_BAN, ...HOUSE_BANS],
    },
  },
  {
    // Tests may be long, may use untyped results of JSON.parse, and may throw to fail.
    files: [TESTS],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": "off",
      "max-lines": ["error", 500],
    },
  },
  {
    // Tools require a default export in their config files.
    files: [CONFIGS],
    rules: { "no-restricted-syntax": "off" },
  },
);

function ban(selector, message) {
  return { selector, message };
}

/** A Result of neverthrow that is not used hides its error. */
function noUnusedResult() {
  const isResult = (type) =>
    type.isUnion()
      ? type.types.some(isResult)
      : ["Ok", "Err", "ResultAsync"].includes(type.symbol?.name) &&
        type.symbol.declarations?.some((node) => node.getSourceFile().fileName.includes("/neverthrow/"));
  return {
    meta: { type: "problem", schema: [], messages: { unused: "Match this Result, or hand it on." } },
    create: ({ sourceCode, report }) => ({
      ExpressionStatement: (node) =>
        isResult(sourceCode.parserServices.getTypeAtLocation(node.expression)) && report({ node, messageId: "unused" }),
    }),
  };
}
