import { describe, expect, it } from "vitest";
import { createByteBudget } from "../../packages/http/src/byte-budget.js";
import { createNetworkBudgets } from "../../packages/http/src/network-budgets.js";

describe("budgets of networks", () => {
  it("bound each network, and all of them together", () => {
    const whole = createByteBudget(25);
    const budgetOf = createNetworkBudgets(10, whole);
    const [one, other, third] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((address) =>
      budgetOf(address).open(),
    );
    expect([one?.take(10), one?.take(1), other?.take(10), third?.take(6), third?.take(5)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(whole.held()).toBe(25);
    for (const hold of [one, other, third]) hold?.release();
    expect(whole.held()).toBe(0);
  });

  it("are shared by all requests of a network, as long as one is open", () => {
    const budgetOf = createNetworkBudgets(10, createByteBudget(100));
    const first = budgetOf("2001:db8::1").open();
    const second = budgetOf("2001:db8::2").open();
    expect([first.take(6), second.take(6), second.take(4)]).toEqual([true, false, true]);
    first.release();
    expect(budgetOf("2001:db8::3").held()).toBe(4);
    expect([budgetOf("2001:db8::3").fits(6), budgetOf("2001:db8::3").fits(7)]).toEqual([true, false]);
    second.release();
    expect(budgetOf("2001:db8::3").fits(10)).toBe(true);
  });

  it("are all there is for requests of unknown origin", () => {
    const whole = createByteBudget(25);
    const hold = createNetworkBudgets(10, whole)(undefined).open();
    expect([hold.take(25), hold.take(1)]).toEqual([true, false]);
  });
});
