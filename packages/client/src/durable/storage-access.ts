// The parts of a durable client use its storage through this interface.

import type { CallStorage, Clock, KeptCall, KeptCallPageRequest } from "@postrider/core";
import type { ClientLogger } from "../logger.js";

export interface StorageAccess {
  /** `isNew` is false if a call of this messageId is stored already. */
  keep(call: KeptCall, isNew: boolean): void;
  drop(messageId: string): void;
  /** Resolves once a write of all changes so far has ended; true if it succeeded. Never rejects. */
  written(): Promise<boolean>;
  /**
   * A page of the calls that are stored, without those that are known or are about to be dropped; the last page ends with the calls
   * that are about to be stored, and a page that could not be read consists of them. Never rejects.
   */
  load(request: KeptCallPageRequest, isKnown: (messageId: string) => boolean): Promise<LoadedCalls>;
  /** The number of calls that are stored, or are about to be. */
  stored(): number;
  /** The calls that are about to be stored. */
  unwritten(): readonly KeptCall[];
  /** True if a call that is only stored would be safe: the last write succeeded, and not too many bytes wait for the next. */
  takesMore(): boolean;
  /** Makes no further write by itself. */
  stop(): void;
}

export interface LoadedCalls {
  readonly calls: readonly KeptCall[];
  /** The messageId of the first call after them; undefined on the last page. */
  readonly next: string | undefined;
  readonly hasFailed: boolean;
}

export interface StorageAccessOptions {
  readonly storage: CallStorage;
  readonly clock: Clock;
  readonly logger: ClientLogger;
  /** Called when calls are in the storage that should have been dropped. */
  readonly onForgotten: () => void;
}
