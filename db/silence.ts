import pg from 'pg';

/** How much longer than its limit a statement may take until its answer arrives. */
export const BEYOND_MILLISECONDS = 3000;
const PAUSE_MILLISECONDS = 250;

/** The database took a statement or a connection, and has not answered. Its code is that of a lost connection. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly code = '08006';

  constructor() {
    super('The database does not answer');
  }
}

/**
 * Notices a database that hangs: something got no answer in time, and nothing else was answered meanwhile. From then on work fails at once
 * instead of waiting in turn, until an attempt to connect is answered.
 */
export class Silence {
  readonly #options: pg.PoolConfig;
  /** Milliseconds that a statement may take. PostgreSQL ends it after five seconds (db/sessions.ts). */
  readonly patience: number;
  #answers = 0;
  #isSilent = false;
  #isOver = false;

  constructor(options: pg.PoolConfig) {
    this.#options = options;
    this.patience = (options.connectionTimeoutMillis ?? 0) + BEYOND_MILLISECONDS;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Call when something is sent to the database. Call the result when it was not answered in time. */
  sent(): () => void {
    const before = this.#answers;
    return () => {
      if (this.#answers === before && !this.#isSilent && !this.#isOver) void this.#begins();
    };
  }

  answered(): void {
    this.#answers += 1;
  }

  end(): void {
    this.#isOver = true;
  }

  async #begins(): Promise<void> {
    this.#isSilent = true;
    while (!this.#isOver && !(await isAnswered(this.#options)))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS).unref());
    this.#isSilent = false;
  }
}

/** Whether an attempt to connect gets an answer, if only a refusal. */
async function isAnswered(options: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return !isTimeout(error);
  } finally {
    client.end(() => undefined);
  }
}

/** Whether an attempt to connect, or to get a connection of a full pool, has taken too long. */
export function isTimeout(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return /timeout expired|due to connection timeout|timeout exceeded when trying to connect/.test(message);
}
