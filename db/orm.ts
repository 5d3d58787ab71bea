import type { EntityClass, RequiredEntityData } from '@mikro-orm/core';
import { EntityManager as EntitiesOnly } from '@mikro-orm/postgresql';
import { withoutWaiting } from './pooledConnection.ts';
import { AppendedRows } from './queries/kernel/appendedRows.ts';
import type { Plain } from './queries/kernel/plain.ts';

export type { MikroORM } from '@mikro-orm/postgresql';

/** The values of a row to be written. */
export type NewRow<Entity> = RequiredEntityData<Entity>;

/** The ORM's entity manager, which also writes rows that are not entities. db/database.ts opens it, db/transaction.ts its transactions. */
export class EntityManager extends EntitiesOnly {
  #appended: AppendedRows | null = null;
  #isDryRun = false;

  /** Whether this transaction is rolled back in any case. It then takes no numbers, whose series would stay locked until its end. */
  get isDryRun(): boolean {
    return this.#isDryRun;
  }

  /** Marks this transaction as one that its caller rolls back. */
  startDryRun(): void {
    this.#isDryRun = true;
  }

  /** Lets this transaction append rows. Its caller ends it with `sendWrites`. */
  allowAppending(): void {
    this.#appended = new AppendedRows();
  }

  /**
   * Collects a row, which the next `write` inserts: for append-only tables, and where many rows of a kind are written. It is copied, not
   * tracked.
   */
  append<Entity extends object>(entity: EntityClass<Entity>, row: NewRow<Entity> | Plain<Entity>): void {
    if (!this.#appended) throw new Error('rows are appended in transactions of `inTransaction` only');
    this.#appended.add(this.getMetadata().get(entity), row);
  }

  /** Writes changed entities, then all appended rows, of whatever tables, in one statement. */
  async write(): Promise<void> {
    const write = () => this.flush();
    await (this.#appended?.isEmpty === false ? withoutWaiting(write) : write());
    await this.#insertAppended();
  }

  /** Writes like `write`, but waits for no answer. The next statement, or the commit, throws the errors. */
  sendWrites(): Promise<void> {
    return withoutWaiting(async () => {
      await this.flush();
      await this.#insertAppended();
    });
  }

  /** Sends the writes of `work`, whose answers nobody needs, like `sendWrites`. A write that returns rows is waited for all the same. */
  async withoutWaiting(work: () => Promise<unknown>): Promise<void> {
    await withoutWaiting(work);
  }

  async #insertAppended(): Promise<void> {
    const insertion = this.#appended?.take();
    if (insertion) await this.execute(insertion.sql, insertion.values);
  }
}
