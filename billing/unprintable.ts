export type UnprintableReason = 'crash' | 'memory' | 'time' | 'content';

/** A document cannot be set as PDF, for a reason of its own: others can. The message is for people. */
export class Unprintable extends Error {
  override readonly name = 'Unprintable';
  readonly reason: UnprintableReason;
  /** How often it was tried, as far as that is known. */
  readonly tries: number;

  constructor(reason: UnprintableReason, message: string, tries = 1) {
    super(message);
    this.reason = reason;
    this.tries = tries;
  }
}
