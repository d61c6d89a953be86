// HTTP adapters, each broken in one way. The contract suite must catch each of them by the promises that are named here;
// docs/http-contract.md shows them.

import * as replies from "./broken/http-replies.js";
import * as requests from "./broken/http-requests.js";
import { type CreateHttp, withTraits } from "./broken/http-wrappers.js";
import { createLeftOverHttp } from "./broken/left-over-http.js";

export interface BrokenHttp {
  readonly name: string;
  /** The promises that it breaks, or those of them that show it best. */
  readonly breaks: readonly string[];
  readonly create: CreateHttp;
}

const TARGETS = "sends one POST, to the path and the query as they are in the URL";
const NO_REDIRECT = "follows no redirect, and no other header to another place";
const NO_SECOND = "sends no second request, whatever an answer asks for";
const NOTHING_KEPT = "keeps nothing of an answer for the next request: neither cookie, nor tag, nor answer, nor place";
const FRAMING = "sends bodies of 0 bytes to 512,000 with their exact length, and no other framing";
const EXACT = "sends the headers in their order and case, and adds none but Host, Content-Length and Connection";
const EVERY_VALUE = "sends every header with its value as given, and each value of a header that is given repeatedly";
const MUTE = "answers `timeout`, on time, for a receiver that never answers, and closes the connection";
const BYTE_BY_BYTE = "answers `timeout`, on time, for headers of a failure that come byte by byte";
const INTERIM = "answers `timeout`, on time, for endless interim answers";
const ONE_TIME = "counts the look-up and the answer as one time: each in time, but not both";
const ONE_LOOK_UP = "dials only what the look-up of this dial answered, which is asked for once";
const MANY = "dials only the allowed addresses of a name that has others, however many it has";
const MIXED =
  "answers `forbidden-address` for a name with such an address, alone or among others, and does not connect";

const odd = (what: string): string =>
  `reports the answer of a receiver that sends ${what}, and then the next answer as it is`;

const BOUNDS = ["success", "failure"].map(
  (word) => `reads no more than 65,536 bytes of a ${word}, and then closes its connection`,
);
const ENDLESS = ["success", "failure"].map(
  (word) => `closes the connection of a ${word} that never ends, long before the timeout`,
);

function broken(name: string, create: CreateHttp, ...breaks: readonly string[]): BrokenHttp {
  return { name, create, breaks };
}

const isMoved = (status = 0): boolean => status >= 301 && status <= 308;

export const BROKEN_HTTP: readonly BrokenHttp[] = [
  broken("lower-cases the path", requests.loweringTheTarget, TARGETS),
  broken("joins slashes", requests.joiningSlashes, TARGETS),
  broken("decodes %2F in the path", requests.decodingTheTarget, TARGETS),
  broken("drops the empty query", requests.droppingTheEmptyQuery, "sends the `?` of an empty query"),
  broken("sends the fragment", requests.sendingTheFragment, "sends neither the fragment of a URL nor its credentials"),
  broken(
    "sends the URL's user",
    requests.sendingCredentials,
    "sends neither the fragment of a URL nor its credentials",
  ),
  broken(
    "sends the address as Host",
    requests.namingTheAddress,
    "sends a name as Host as it is in the URL, also with a dot at its end",
  ),
  broken(
    "leaves the port out of Host",
    withTraits({ hostOf: ({ hostname }) => hostname }),
    "sends the host and the port of the URL as Host",
    "reaches an IPv6 address, and sends it in brackets as Host, where this machine has one",
  ),
  broken("adds an Accept header", requests.addingAccept, "sends Accept once, as given, and adds no other"),
  broken(
    "adds Accept-Encoding",
    requests.addingAnEncoding,
    "adds no header but those that it says, whatever the request",
  ),
  broken("drops a header", requests.droppingAHeader, EVERY_VALUE),
  broken("drops the headers that a browser sets", requests.droppingForbiddenNames, EVERY_VALUE),
  broken("keeps the last of repeated headers", requests.keepingTheLastOfEach, EVERY_VALUE),
  broken("joins repeated headers", requests.joiningRepeated, EXACT),
  broken("lower-cases the names of headers", requests.loweringNames, EXACT),
  broken(
    "changes the body",
    requests.changingTheBody,
    "sends a body of any bytes unchanged, with its length",
    "sends the same bytes each time, and does not change the given ones",
    FRAMING,
  ),
  broken("sends 64 KiB of a body", requests.cuttingTheBody, FRAMING),
  broken(
    "sends the buffer around a body",
    requests.sendingTheWholeBuffer,
    "sends only the view of a larger buffer, and an empty body as an empty one",
  ),
  broken(
    "wipes the body that it was given",
    requests.wipingTheBody,
    "sends the same bytes each time, and does not change the given ones",
  ),
  broken("sends the body in chunks", requests.sendingInChunks, FRAMING),
  broken("sends Expect", requests.expectingToContinue, FRAMING),

  broken("asks with OPTIONS first", requests.askingFirst, TARGETS),
  broken("sends two requests and takes the faster answer", requests.hedging, TARGETS),
  broken("connects ahead", requests.connectingAhead, "uses a connection again"),
  broken(
    "sends again what got no answer",
    requests.retryingSilence,
    "never rejects, for any behaviour of the receiver",
  ),
  broken(
    "sends again what got no answer on a kept connection",
    requests.retryingOnKept,
    "sends no second request if a kept connection is closed or reset in place of an answer",
  ),
  broken(
    "keeps only the first piece of a failed answer",
    withTraits({ maxPieces: 1 }),
    "keeps all of a short failed answer that comes in pieces, in their order",
    "keeps the first 4,096 bytes of a long failed answer that comes in pieces",
  ),
  broken(
    "measures on the wall clock",
    replies.measuringOnTheWallClock,
    "keeps the time limit, and measures `afterMs`, while the wall clock steps by hours",
  ),
  broken(
    "ends at once under a time limit of more than 31 bits",
    requests.timingIn32Bits,
    "waits for the answer under a time limit of any length",
  ),
  broken("sends again after 408, 429 and 503", requests.retryingFailures, NO_SECOND),
  broken(
    "sends again after 421",
    requests.retryingMisdirected,
    "reports 407 and 421 as they came, and sends no second request",
  ),
  broken(
    "follows redirects",
    withTraits({ placeIn: ({ headers, statusCode }) => (isMoved(statusCode) ? headers.location : undefined) }),
    NO_REDIRECT,
  ),
  broken(
    "follows 307",
    withTraits({ placeIn: ({ headers, statusCode }) => (statusCode === 307 ? headers.location : undefined) }),
    NO_REDIRECT,
  ),
  broken(
    "follows Refresh",
    withTraits({ placeIn: ({ headers }) => /url=(.*)/.exec(String(headers["refresh"]))?.[1] }),
    NO_REDIRECT,
  ),
  broken("keeps cookies", requests.keepingCookies(), NOTHING_KEPT),
  broken("answers from memory what has been a success", replies.rememberingSuccesses, NOTHING_KEPT),

  broken(
    "shares one answer among all",
    replies.sharingOneAnswer,
    "reports every final status as it came",
    "reports Retry-After as it came, and its absence",
    "sends normally after each of these failures",
    "sends fifty requests at once, and gives each its answer",
    "lets no request wait for one that hangs",
  ),
  broken(
    "answers with the answer before",
    replies.answeringWithThePrevious,
    "reports Retry-After as it came, and its absence",
    odd("two answers"),
  ),
  broken(
    "takes left-over bytes for the next answer",
    createLeftOverHttp,
    odd("two answers"),
    odd("two successes"),
    odd("bytes after its body"),
    odd("interim answers before a success"),
    odd("a status line after its body"),
    odd("a body where none may be"),
    odd("trailers"),
    odd("a second answer after its last chunk"),
    odd("HTTP/1.0"),
    odd("a body without a length"),
    odd("an interim answer after it"),
    "gives each of many requests on few connections its own answer, although every second one is odd",
    "does not use the connection of a cut answer again, and gives the next request its own answer",
    "takes nothing that comes on an idle connection for the answer to the next request",
  ),
  broken(
    "takes an interim answer for the final one",
    withTraits({ takesInterim: true }),
    "waits for the final status after an interim one",
    odd("interim answers with headers"),
  ),
  broken(
    "takes Retry-After from an interim answer",
    withTraits({ retryAfterOf: ({ headers }, interim) => headers["retry-after"] ?? interim["retry-after"] }),
    odd("interim answers with headers"),
  ),
  broken(
    "takes no answer that breaks off",
    withTraits({ takesBroken: false }),
    odd("a shorter body than it said"),
    "resolves a failure whose connection breaks in the body, with what has come",
  ),
  broken("decompresses", replies.decompressing, "does not decompress a compressed answer"),
  broken(
    "rounds a time limit up to half a second",
    requests.timingInHalfSeconds,
    "keeps a time limit of a tenth of a second, and does not round it up",
  ),
  broken("drops a byte order mark", replies.droppingTheMark, "keeps the whole of a short failed answer, byte for byte"),
  broken(
    "waits for the whole body of a success",
    withTraits({ waitsForBody: true }),
    "resolves at the status line of a success, while its body still drips",
  ),
  broken(
    "keeps an excerpt without bounds",
    withTraits({ maxExcerptBytes: Infinity }),
    "keeps the first 4,096 bytes of a long failed answer",
    "resolves a failure once 4,096 bytes have come, although the body goes on",
  ),
  broken("reads 256 KiB", withTraits({ maxReadBytes: 262_144 }), ...BOUNDS),
  broken("reads answers to their end", withTraits({ maxReadBytes: Infinity }), ...BOUNDS, ...ENDLESS),
  broken(
    "rejects when the connection is refused",
    replies.rejectingWhenRefused,
    "never rejects, for any behaviour of the receiver",
  ),
  broken(
    "says timeout of everything",
    replies.sayingTimeout,
    "answers `invalid-header` for a header that HTTP cannot carry, and sends nothing",
  ),

  broken(
    "waits ten times as long",
    withTraits({ patience: 10 }),
    "resolves a failure at the timeout, with what has come",
    "closes the connection of a successful answer that is not complete at the timeout",
    MUTE,
    "answers `timeout`, on time, for a receiver that never starts TLS",
    BYTE_BY_BYTE,
    INTERIM,
  ),
  broken("counts the time anew with every byte", withTraits({ beginsAnew: "byte" }), BYTE_BY_BYTE, INTERIM),
  broken(
    "counts the time from the end of the handshake",
    withTraits({ beginsAnew: "connected" }),
    "counts the handshake and the answer as one time: each in time, but not both",
  ),
  broken(
    "counts the time from the end of the look-up",
    replies.startingAfterTheLookUp,
    ONE_TIME,
    "counts `afterMs` from the call, the look-up included",
  ),
  broken(
    "does not hang up at the timeout",
    withTraits({ hangsUp: false }),
    MUTE,
    "sends nothing to a receiver whose handshake ends after the timeout",
    "leaves no connection after a timeout, dialled or half dialled, and makes no new one",
  ),
  broken(
    "sends after the timeout",
    requests.sendingLate,
    "answers `timeout`, on time, for a name whose look-up does not end, and sends nothing if it ends later",
  ),

  broken(
    "accepts every certificate",
    withTraits({ rejectUnauthorized: false }),
    "sends nothing to a self-signed receiver",
    "sends nothing to a receiver whose certificate an unknown authority has signed",
  ),
  broken(
    "puts the address of a name into the URL",
    requests.dialingTheAddress,
    "checks the certificate for the name in the URL, not for the address of that name",
    "sends a name as Host as it is in the URL, also with a dot at its end",
  ),
  broken("looks a name up twice", replies.lookingUpTwice, ONE_LOOK_UP),
  broken(
    "looks a name up again that was not found",
    replies.askingAgain,
    "answers `dns` or `local` for a look-up that fails, without a second one",
  ),
  broken("remembers names for ever", replies.rememberingNames, "checks the addresses of a name anew with each dial"),
  broken("leaves out forbidden addresses", replies.leavingOutForbidden, MIXED),
  broken(
    "dials every address of a name that has an allowed one",
    withTraits({ dialled: (all, left) => (left.length > 0 ? all : []) }),
    MANY,
  ),
  broken(
    "refuses a name for one forbidden address",
    withTraits({ dialled: (all, left) => (left.length === all.length ? left : []) }),
    MANY,
  ),
  broken("checks eight addresses of a name", replies.checkingTheFirstEight, MANY),
  broken(
    "dials the first address only",
    withTraits({ dialsAll: false }),
    "sends one request to a name of several addresses, of which the first does not answer",
  ),
  broken(
    "looks up one name at a time",
    replies.lookingUpInTurn,
    "lets no request wait for the look-up of another name",
  ),
  broken(
    "has at most 64 connections to an origin",
    withTraits({ maxConnections: 64 }),
    "lets no request wait for as many as a lane may have in flight, all of which hang",
  ),
  broken(
    "reads Retry-After of 429 and 503 alone",
    withTraits({
      retryAfterOf: ({ statusCode, headers }) =>
        statusCode === 429 || statusCode === 503 ? headers["retry-after"] : undefined,
    }),
    "reports Retry-After of an answer with any status that is tried again",
  ),
  broken(
    "writes the seconds of Retry-After anew",
    withTraits({
      retryAfterOf: ({ headers: { "retry-after": value } }) =>
        /^\d+$/.test(value ?? "") ? String(Number(value)) : value,
    }),
    "reports Retry-After as it came, and its absence",
  ),
  broken("sends one request at a time", requests.queueing, "lets no request wait for one that hangs"),
  broken("dials for each request", withTraits({ keepsAlive: false }), "uses a connection again"),
  broken(
    "does not close",
    withTraits({ closes: false }),
    "leaves no connection when closed, and answers `local` for requests under way and for later ones",
  ),
];
