import { isStale } from './failure.ts';

/**
 * Limits of prepared statements: the length of a statement in characters, and their number per connection. Longer statements are mass
 * inserts of varying size. The number needs a limit because the code does not bound it: updates of the ORM name the columns that changed,
 * lists the filters of a request.
 */
const LONGEST_KEPT = 4000;
const MOST_KEPT = 400;

/** How often this process has met a migration that changed the result columns of a prepared statement. */
let changes = 0;

/**
 * The names under which a connection prepares its statements with parameters, so that it parses and plans each once. A migration may change the
 * result columns of a statement. The server then refuses it, and the connections of the process prepare all statements anew.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #named = 0;
  #changes = changes;

  /**
   * Sends a statement by its name; undefined: without one. Sends it again if the server refuses it because of a migration and no transaction is
   * open. A transaction has to be repeated: `retrying` does that.
   */
  async send<T>(
    { text, values }: { text: string; values: readonly unknown[] },
    isInTransaction: () => boolean,
    by: (name: string | undefined) => Promise<T>,
  ): Promise<T> {
    const canRepeat = !isInTransaction();
    try {
      return await by(this.#nameOf(text, values));
    } catch (error) {
      if (!isStale(error)) throw error;
      changes += 1;
      if (!canRepeat) throw error;
      return by(this.#nameOf(text, values));
    }
  }

  #nameOf(text: string, values: readonly unknown[]): string | undefined {
    if (values.length === 0 || text.length > LONGEST_KEPT) return undefined;
    if (this.#changes !== changes) this.#names.clear();
    this.#changes = changes;
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_KEPT) return known;
    const name = `s${this.#named++}`;
    this.#names.set(text, name);
    return name;
  }
}
