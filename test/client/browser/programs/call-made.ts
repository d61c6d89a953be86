// What a program in a page tells of each call that it has made.

export interface CallMade {
  readonly type: string;
  readonly messageId: string;
}
