// testkit has no face of its own: take `@postrider/testkit/contracts`, `/arbitraries` or `/world`. So nobody who runs a
// contract suite loads fast-check.

export {};
