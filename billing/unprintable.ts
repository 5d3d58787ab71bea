export type UnprintableReason = 'crash' | 'memory' | 'time' | 'content';

/** A document cannot be set as PDF, for a reason of its own: others can. The message is for people. */
export class Unprintable extends Error {
  override readonly name = 'Unprintable';
  readonly reason: UnprintableReason;

  constructor(reason: UnprintableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
