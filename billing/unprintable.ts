/** `crash`: the renderer died; `memory`, `time`: it exceeded a limit; `content`: the document cannot be typeset. */
export type UnprintableReason = 'crash' | 'memory' | 'time' | 'content';

/** Thrown when a document cannot be rendered as PDF because of its own content. Other documents can. The message is for people. */
export class Unprintable extends Error {
  override readonly name = 'Unprintable';
  readonly reason: UnprintableReason;
  /** Number of tries, as far as it is known. */
  readonly tries: number;

  constructor(reason: UnprintableReason, message: string, tries = 1) {
    super(message);
    this.reason = reason;
    this.tries = tries;
  }
}
