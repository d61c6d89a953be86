// testkit has no face of its own: take `@postrider/testkit/contracts`, `/arbitraries` or `/zoo`. So nobody loads
// fast-check who does not ask for what needs it.

export {};
