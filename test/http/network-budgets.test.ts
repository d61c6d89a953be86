import { describe, expect, it } from "vitest";
import { createByteBudget, createNetworkBudgets } from "../../packages/http/src/budgets.js";

describe("budgets of networks", () => {
  it("bound each network, and all networks together", () => {
    const whole = createByteBudget(25);
    const budgetOf = createNetworkBudgets(10, whole);
    const [one, other, third] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((address) =>
      budgetOf(address).open(),
    );
    expect([one?.reserve(10), one?.reserve(1), other?.reserve(10), third?.reserve(6), third?.reserve(5)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(whole.reserved()).toBe(25);
    for (const reservation of [one, other, third]) reservation?.release();
    expect(whole.reserved()).toBe(0);
  });

  it("are shared by all open requests of a network", () => {
    const budgetOf = createNetworkBudgets(10, createByteBudget(100));
    const first = budgetOf("2001:db8::1").open();
    const second = budgetOf("2001:db8::2").open();
    expect([first.reserve(6), second.reserve(6), second.reserve(4)]).toEqual([true, false, true]);
    first.release();
    expect(budgetOf("2001:db8::3").reserved()).toBe(4);
    expect([budgetOf("2001:db8::3").fits(6), budgetOf("2001:db8::3").fits(7)]).toEqual([true, false]);
    second.release();
    expect(budgetOf("2001:db8::3").fits(10)).toBe(true);
  });

  it("give the whole budget to requests from unknown addresses", () => {
    const whole = createByteBudget(25);
    const reservation = createNetworkBudgets(10, whole)(undefined).open();
    expect([reservation.reserve(25), reservation.reserve(1)]).toEqual([true, false]);
  });
});
