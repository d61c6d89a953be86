// testkit has no face of its own: take `@postrider/testkit/contracts`, `/arbitraries`, `/world` or `/zoo`. So nobody who
// runs a contract suite loads fast-check.

export {};
