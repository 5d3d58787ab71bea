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
