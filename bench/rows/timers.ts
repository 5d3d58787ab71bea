import { z } from 'zod';
import { cpuMilliseconds } from '../processes.ts';
import { startProgram } from '../program.ts';
import type { Stage } from '../stage.ts';
import { untilQuiet, untilTime } from '../wait.ts';

/** Cost of bare Temporal timers on the same server. */
export interface Timed {
  count: number;
  perSecond: number;
  /** CPU of server and worker in milliseconds per timer. */
  cpuEach: number;
}

/** Milliseconds for setting the timers. The first try expects a usual machine, the second one a slow machine. */
const LEADS = [(count: number) => 5000 + count * 6, (count: number) => 15_000 + count * 20];

/** Runs this many bare workflows whose timers fire at the same time. Each then runs one local activity that does nothing. */
export async function bareTimers(stage: Stage, count: number): Promise<Timed> {
  const { config, temporal, logFile } = stage;
  const timers = await startProgram({
    program: 'reference/timers.ts',
    args: [config.temporal.address],
    logFile: logFile('timers'),
    hello: z.literal('ready'),
  });
  try {
    const pids = [temporal.pid, timers.pid];
    for (const lead of LEADS) {
      const dueAt = Math.ceil((Date.now() + lead(count)) / 1000) * 1000;
      await timers.ask({ count, dueAt }, z.literal('asleep'));
      await untilQuiet(pids, 120);
      const inTime = Date.now() < dueAt - 500;
      await untilTime(dueAt - 200);
      const before = cpuMilliseconds(pids);
      const { finishedAt } = await timers.ask('rung', z.object({ finishedAt: z.number() }));
      await untilQuiet(pids, 120);
      const cpuEach = (cpuMilliseconds(pids) - before) / count;
      if (inTime) return { count, perSecond: (count * 1000) / (finishedAt - dueAt), cpuEach };
    }
    throw new Error('the timers were not set in time');
  } finally {
    await timers.stop();
  }
}
