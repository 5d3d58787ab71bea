/** Thrown when the store of files, or the folder of uploads, is full, may not be used or cannot be reached. Nothing was changed. */
export class FileStoreAway extends Error {
  override readonly name = 'FileStoreAway';

  /** `cause`: the reason, for the operator. */
  constructor(cause: unknown) {
    super('Files cannot be stored or read at the moment. Nothing was changed; try again', { cause });
  }
}

/** The result of a call of the file store. Throws FileStoreAway when it fails. */
export async function fromFileStore<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new FileStoreAway(cause);
  }
}

/** Thrown when too much work waits, or takes too long. Nothing was done, so the caller may retry in a moment. */
export class Overload extends Error {
  override readonly name = 'Overload';
}

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
