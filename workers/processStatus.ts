import type { TimedProcess } from '../billing/processes.ts';
import { describeFailure } from '../db/failure.ts';
import { readProcessFacts } from '../db/queries/processes/facts.ts';
import { TestClock } from '../db/schema/testClock.ts';
import { clockInWords, processInWords, statusInWords } from '../present/processes/process.ts';
import type { ActivityResult } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';

type ProcessStatus = Pick<ActivityResult, 'about' | 'stands'>;

interface Whose {
  accountId: number;
  id: number;
}

/** The state of a process's object after its steps, in words for operators. A failure to read it is ignored. */
export function statusOfProcess(deps: WorkerDeps, of: Whose & { process: TimedProcess }): Promise<ProcessStatus> {
  const { accountId, process, id } = of;
  return unlessItFails(deps, of, async () => {
    const facts = await readProcessFacts(deps.em.fork(), { accountId, process, id });
    if (!facts) return {};
    const stands = statusInWords(process, facts);
    return {
      about: processInWords(process, id, facts),
      stands: facts.onClock ? `${stands}; its test clock wakes it` : stands,
    };
  });
}

/** The state of a test clock, in words. */
export function statusOfClock(deps: WorkerDeps, { accountId, id }: Whose): Promise<ProcessStatus> {
  return unlessItFails(deps, { process: 'clock', id }, async () => {
    const clock = await deps.em.fork().findOne(TestClock, { accountId, id });
    return clock ? { stands: clockInWords(clock) } : {};
  });
}

async function unlessItFails(
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
