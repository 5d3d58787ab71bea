import pg from 'pg';

/** How much longer than its limit a statement may take until its answer arrives. */
export const BEYOND_MILLISECONDS = 2000;
const PAUSE_MILLISECONDS = 250;

/** The database took a statement or a connection, and has not answered. Its code is that of a lost connection. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly code = '08006';

  constructor() {
    super('The database does not answer');
  }
}

/** Something that waits for an answer of the database. */
export interface Waiting {
  /** Call when it was not answered in time. */
  late(): void;
  /** Call when it no longer waits. */
  end(): void;
}

/**
 * Notices a database that hangs: something got no answer in time, and nothing else was answered meanwhile. All that waits then gives up, and
 * further work fails at once, until an attempt to connect is answered.
 */
export class Silence {
  readonly #options: pg.PoolConfig;
  readonly #waiting = new Set<() => void>();
  #answers = 0;
  #isSilent = false;
  #isOver = false;

  constructor(options: pg.PoolConfig) {
    this.#options = options;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Call when something begins to wait. `giveUp` is called when the database turns out to hang meanwhile. */
  wait(giveUp: () => void): Waiting {
    const before = this.#answers;
    this.#waiting.add(giveUp);
    return {
      late: () => {
        if (this.#answers === before && !this.#isSilent && !this.#isOver) void this.#begins();
      },
      end: () => void this.#waiting.delete(giveUp),
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
    for (const giveUp of [...this.#waiting]) giveUp();
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
