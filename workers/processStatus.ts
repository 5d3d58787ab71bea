import type { TimedProcess } from '../billing/processes.ts';
import { describeFailure } from '../db/failure.ts';
import { type ProcessFacts, readProcessFacts } from '../db/queries/processes/facts.ts';
import { TestClock } from '../db/schema/testClock.ts';
import { clockInWords, processInWords, statusInWords } from '../present/processes/process.ts';
import type { ActivityResult } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';

type ProcessStatus = Pick<ActivityResult, 'about' | 'stands'>;

interface ObjectKey {
  accountId: number;
  id: number;
}

/**
 * Description, for operators, of a process's object and its status. Reads the facts of the object unless they are `known`. Empty if they
 * cannot be read.
 */
export function statusOfProcess(
  deps: WorkerDeps,
  of: ObjectKey & { process: TimedProcess },
  known?: ProcessFacts,
): Promise<ProcessStatus> {
  const { accountId, process, id } = of;
  return emptyOnFailure(deps, of, async () => {
    const facts = known ?? (await readProcessFacts(deps.em.fork(), { accountId, process, id }));
    if (!facts) return {};
    const status = statusInWords(process, facts);
    return {
      about: processInWords(process, id, facts),
      stands: facts.onClock ? `${status}; its test clock wakes it` : status,
    };
  });
}

/** Description of a test clock's status, for operators. Empty if it cannot be read. */
export function statusOfClock(deps: WorkerDeps, { accountId, id }: ObjectKey): Promise<ProcessStatus> {
  return emptyOnFailure(deps, { process: 'clock', id }, async () => {
    const clock = await deps.em.fork().findOne(TestClock, { accountId, id });
    return clock ? { stands: clockInWords(clock) } : {};
  });
}

/** Logs a failure, and returns an empty status instead. */
async function emptyOnFailure(
  { log }: WorkerDeps,
  what: { process: string; id: number },
  read: () => Promise<ProcessStatus>,
): Promise<ProcessStatus> {
  try {
    return await read();
  } catch (error) {
    const { process, id } = what;
    log.warn({ process, id, reason: describeFailure(error) }, 'the status of a process could not be read');
    return {};
  }
}
