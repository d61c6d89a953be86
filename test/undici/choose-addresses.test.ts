import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseAddresses } from "../../packages/undici/src/addresses.js";
import { MAX_ADDRESSES } from "../../packages/undici/src/limits.js";

interface Kind {
  readonly mayReach: boolean;
  readonly isPublic: boolean;
}

const PUBLIC: Kind = { mayReach: true, isPublic: true };
const ALLOWED: Kind = { mayReach: true, isPublic: false };
const FORBIDDEN: Kind = { mayReach: false, isPublic: false };
/** The host itself listens there. */
const OWN: Kind = { mayReach: false, isPublic: true };

const world = fc.uniqueArray(
  fc.record({ address: fc.oneof(fc.ipV4(), fc.ipV6()), kind: fc.constantFrom(PUBLIC, ALLOWED, FORBIDDEN, OWN) }),
  { selector: ({ address }) => address, maxLength: 80 },
);

function choose(all: readonly { readonly address: string; readonly kind: Kind }[]): readonly string[] {
  const kinds = new Map(all.map(({ address, kind }) => [address, kind]));
  const addresses = all.map(({ address }) => address);
  return chooseAddresses(addresses, {
    mayReach: (address) => kinds.get(address)!.mayReach,
    isPublic: (address) => kinds.get(address)!.isPublic,
  });
}

describe("the addresses of a name that are dialled", () => {
  it("are never forbidden ones, none twice, and no more than the limit", () => {
    fc.assert(
      fc.property(world, (all) => {
        const chosen = choose(all);
        const forbidden = all.filter(({ kind }) => !kind.mayReach).map(({ address }) => address);
        expect(chosen.filter((address) => forbidden.includes(address))).toEqual([]);
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen.length).toBeLessThanOrEqual(MAX_ADDRESSES);
      }),
    );
  });

  it("are the allowed ones alone if there are any; otherwise all if none is forbidden, up to the limit", () => {
    fc.assert(
      fc.property(world, (all) => {
        const allowed = all.filter(({ kind }) => kind === ALLOWED);
        const isForbidden = all.some(({ kind }) => !kind.mayReach);
        const right = allowed.length > 0 ? allowed : isForbidden ? [] : all;
        const chosen = choose(all);
        expect(chosen.length).toBe(Math.min(right.length, MAX_ADDRESSES));
        expect(chosen.filter((address) => !right.some((one) => one.address === address))).toEqual([]);
      }),
    );
  });

  it("have the families in turn for as long as there are both, each in its order", () => {
    fc.assert(
      fc.property(world, (all) => {
        const open = all.map(({ address }) => ({ address, kind: PUBLIC }));
        const chosen = choose(open);
        const sixes = open.filter(({ address }) => isIP(address) === 6).length;
        const pairs = Math.min(sixes, open.length - sixes);
        const families = chosen.map((address) => isIP(address)).slice(0, 2 * pairs);
        expect(families.every((family, index) => index === 0 || family !== families[index - 1])).toBe(true);
        for (const family of [4, 6]) {
          const inOrder = open.filter(({ address }) => isIP(address) === family).map(({ address }) => address);
          const ours = chosen.filter((address) => isIP(address) === family);
          expect(ours).toEqual(inOrder.slice(0, ours.length));
        }
      }),
    );
  });
});
