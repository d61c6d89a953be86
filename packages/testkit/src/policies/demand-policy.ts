// Completes a policy that a user gives by the default numbers, and refuses a wrong one before anything is played.

import { DEFAULT_DELIVERY, type DeliveryPolicy } from "@postrider/core";
import { checkDelivery, createOptionsError } from "@postrider/core/engine";

/** The policy with its defaults. Throws an `OptionsError` that names each problem. */
export function demandPolicy(functionName: string, policy: Partial<DeliveryPolicy>): DeliveryPolicy {
  const full = { ...DEFAULT_DELIVERY, ...policy };
  const problems = checkDelivery(full, "policy");
  if (problems.length > 0) throw createOptionsError(functionName, problems);
  return full;
}
