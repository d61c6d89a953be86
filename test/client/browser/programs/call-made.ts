// The record of each call that a program in a page has made.

export interface CallMade {
  readonly type: string;
  readonly messageId: string;
}
