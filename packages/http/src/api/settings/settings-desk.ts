// The port by which the API asks its host about settings. The host knows their place, which of them a server can use, and their secrets.

import type { DestinationId, JsonObject, SettingsChange, SettingsPutResult } from "@postrider/core";
import type { TestFault, TestReport, TestRequest } from "@postrider/relay";
import type { ReloadProblem } from "./settings-json.js";

/** Settings as they are shown, without any secret. Those of a file have no revision. */
export interface ShownSettings extends Partial<SettingsChange> {
  readonly document: JsonObject;
}

/** The problems of a document; empty if this server could use it. */
export interface SettingsCheck {
  readonly problems: readonly ReloadProblem[];
}

/** The outcome for a document: `invalid` and `file` changed nothing, since it has problems, or since the file owns the settings. */
export type SettingsOutcome =
  SettingsPutResult | ({ readonly kind: "invalid" } & SettingsCheck) | { readonly kind: "file" };

/** The outcome of a test event by settings that are not in force: `invalid` and `failed` sent nothing. */
export type DraftTestOutcome =
  | { readonly kind: "sent"; readonly report: TestReport }
  | { readonly kind: "failed"; readonly fault: TestFault }
  | ({ readonly kind: "invalid" } & SettingsCheck);

/** The finding at an endpoint, without a request. `fault`: no delivery would arrive now. */
export interface EndpointFinding {
  readonly kind: "fault" | "warning" | "ok";
  readonly code: string;
  /** From the root of the document. */
  readonly path: string;
  readonly message: string;
  /** The advice: an addition or a change. */
  readonly change?: string;
}

/** The outcome of a probe of endpoints that are not in force: `invalid` and `failed` probed nothing. */
export type DraftProbeOutcome =
  | { readonly kind: "probed"; readonly findings: readonly EndpointFinding[] }
  | { readonly kind: "failed"; readonly fault: { readonly code: "unknown-destination" | "too-many-tests" } }
  | ({ readonly kind: "invalid" } & SettingsCheck);

/** The settings of a host. A method that fails rejects with a `StoreError`. */
export interface SettingsDesk {
  readonly owner: "file" | "store";
  /** The keys that stand in the file of this host too, so that they may only be changed there first; none if the file owns all. */
  locked(): readonly string[];
  /** The revision that this host has in force; undefined if the file owns the settings. */
  inForce(): number | undefined;
  /** The latest revision, if this host cannot use it. */
  refused(): (SettingsCheck & { readonly revision: number }) | undefined;
  /** The latest settings, or those of a revision; undefined if there is no such revision any more. */
  show(revision?: number): Promise<ShownSettings | undefined>;
  /** The revisions that are kept, the latest first. */
  history(): Promise<readonly SettingsChange[]>;
  check(document: unknown): Promise<SettingsCheck>;
  /** Looks up, vets and shakes hands with each endpoint of a destination of a document that is not in force; sends no request. */
  probe(draft: { readonly document: unknown; readonly destination: DestinationId }): Promise<DraftProbeOutcome>;
  /** Sends a test event to a destination of a document that is not in force, as a relay with this document would. */
  test(draft: { readonly document: unknown } & TestRequest): Promise<DraftTestOutcome>;
  put(edit: { readonly expect: number; readonly document: unknown; readonly actor?: string }): Promise<SettingsOutcome>;
}
