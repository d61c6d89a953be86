// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/testkit/hostile-receivers` exports.

import type { Clock, EndpointId, Fault } from "@postrider/core";

export interface Authority {
  readonly cert: string;
  issue(options: CertificateOptions): TlsIdentity;
}

export interface CertificateOptions {
  readonly hosts: readonly string[];
  readonly commonName?: string;
  readonly isWeak?: boolean;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export type ExpectedReply = (
  | {
      readonly kind: "answered";
      readonly status: number;
    }
  | {
      readonly kind: "silent";
      readonly fault: Fault;
    }
) & {
  readonly takes: "a moment" | "all its time";
};

export declare const HOSTILE_RECEIVERS: readonly HostileReceiver[];

export interface HostileReceiver {
  readonly name: string;
  readonly does: string;
  readonly script: ReceiverScript;
  readonly expected: ExpectedReply;
}

export interface ReceivedRequest {
  readonly head: string;
  readonly body: Uint8Array;
}

export interface ReceiverScript {
  readonly steps: readonly ScriptStep[];
  readonly tls?: TlsScript;
  readonly scheme?: "http" | "https";
}

export type ScriptStep =
  | {
      readonly kind: "reads";
    }
  | {
      readonly kind: "says";
      readonly text: string;
    }
  | {
      readonly kind: "drips";
      readonly text: string;
      readonly everyMs: number;
      readonly times?: number;
    }
  | {
      readonly kind: "floods";
      readonly text: string;
      readonly bytes: number;
    }
  | {
      readonly kind: "waits";
      readonly delayMs: number;
    }
  | {
      readonly kind: "ends";
    }
  | {
      readonly kind: "resets";
    }
  | {
      readonly kind: "dies";
    }
  | {
      readonly kind: "repeats";
    };

export interface ScriptedReceiver {
  readonly url: EndpointId;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  bytesSeen(): number;
  connections(): number;
  openConnections(): number;
  close(): Promise<void>;
}

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export declare function answeringScript(status: number): ReceiverScript;

export declare function createAuthority(name?: string): Authority;

export declare function createSelfSignedCertificate(options: CertificateOptions): TlsIdentity;

export declare function startReceiver(script: ReceiverScript, clock: Clock): Promise<ScriptedReceiver>;

// Not exported by name, but part of what is.

interface TlsScript {
  readonly identity: TlsIdentity;
  readonly maxVersion?: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  readonly wantsClientCertificate?: boolean;
}

export {};
