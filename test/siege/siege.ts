import { setTimeout as pause } from 'node:timers/promises';
import { openOwner } from '../../bench/database.ts';
import { cpuMilliseconds } from '../../bench/processes.ts';
import { auditDatabase } from '../../bin/audit.ts';
import { problemsOf, type Shown, unnamed } from './aftermath.ts';
import type { Stretch } from './assault.ts';
import { type Comparison, compare, type Sample, type Window } from './samples.ts';
import { openScene, type Scene, type SceneOptions } from './scene.ts';
import { merged, type Tally } from './tally.ts';
import { type Watch, watchProcesses } from './watch.ts';

export interface SiegeOptions extends SceneOptions {
  minutes: number;
}

/** What a siege has found. */
export interface Findings {
  comparisons: Comparison[];
  tally: Tally;
  /** What the victim asked for and did not get. */
  failures: readonly string[];
  ended: readonly string[];
  memory: Watch['memory'];
  problems: { victim: Shown[]; attacker: Shown[] };
  /** What the attacker wanted done, is overdue, and no problem names. */
  unnamed: string[];
  drifts: string[];
  /** Per cent of a processor that each part used in all windows. */
  used: Record<string, [alone: number, attacked: number]>;
  samples: readonly Sample[];
  stretches: readonly Stretch[];
}

/** Attacks go on for so long at a time, and so does the peace between. */
const LONGEST_WINDOW_SECONDS = 60;
const WARM_UP_SECONDS = 10;
/** After attacks, until what they have left is done, or for so long. */
const IDLE_WITHIN_SECONDS = 60;

/** Runs the whole product with two businesses: one at its usual work all the time, which the other attacks every other minute. */
export async function siege(options: SiegeOptions): Promise<Findings> {
  const scene = await openScene(options);
  const watch = watchProcesses(scene.stage);
  try {
    await pause(WARM_UP_SECONDS * 1000);
    const { windows, tally, used } = await alternate(scene, options);
    await watch.stop();
    return await findingsOf(scene, { watch, windows, tally, used });
  } finally {
    await watch.stop().catch(() => undefined);
    await scene.stop();
  }
}

async function alternate(scene: Scene, { minutes, progress }: SiegeOptions) {
  const pairs = Math.max(2, Math.round((minutes * 60) / 2 / LONGEST_WINDOW_SECONDS));
  const milliseconds = Math.min(LONGEST_WINDOW_SECONDS, (minutes * 60) / 2 / pairs) * 1000;
  const windows: Window[] = [];
  const meter = createMeter(scene);
  const tallies: Tally[] = [];
  for (let pair = 1; pair <= pairs; pair++) {
    const startedAt = Date.now();
    meter.begin();
    await pause(milliseconds);
    meter.end('alone');
    windows.push({ attacked: false, startedAt, endedAt: Date.now() });
    progress(`${pair} of ${pairs}: attacking for ${Math.round(milliseconds / 1000)} s`);
    const from = Date.now();
    meter.begin();
    tallies.push(await scene.assault.attack(from + milliseconds));
    meter.end('attacked');
    windows.push({ attacked: true, startedAt: from, endedAt: Date.now() });
    await waitUntilIdle(scene);
  }
  return { windows, tally: merged(tallies), used: meter.used() };
}

/** Measures how much of a processor each part uses, in both kinds of windows. */
function createMeter({ stage, assault }: Scene) {
  const total = { alone: 0, attacked: 0 };
  const spent = new Map<string, { alone: number; attacked: number }>();
  const parts = () =>
    Object.entries({
      api: stage.api,
      worker: stage.worker,
      postgres: stage.postgres,
      temporal: stage.temporal,
      assault,
    });
  const read = () => new Map(parts().map(([name, { pid }]) => [name, cpuMilliseconds([pid])]));
  let [before, begunAt] = [read(), performance.now()];
  return {
    begin: () => {
      [before, begunAt] = [read(), performance.now()];
    },
    end: (kind: 'alone' | 'attacked') => {
      total[kind] += performance.now() - begunAt;
      for (const [name, now] of read()) {
        const sum = spent.get(name) ?? { alone: 0, attacked: 0 };
        sum[kind] += Math.max(0, now - (before.get(name) ?? 0));
        spent.set(name, sum);
      }
    },
    used: () =>
      Object.fromEntries(
        [...spent].map(([name, { alone, attacked }]): [string, [number, number]] => {
          return [name, [(alone / total.alone) * 100, (attacked / total.attacked) * 100]];
        }),
      ),
  };
}

/** Waits until the product uses little of a processor. */
async function waitUntilIdle({ stage }: Scene): Promise<void> {
  const pids = () => [stage.api.pid, stage.worker.pid, stage.postgres.pid, stage.temporal.pid];
  const until = performance.now() + IDLE_WITHIN_SECONDS * 1000;
  while (performance.now() < until) {
    const before = cpuMilliseconds(pids());
    await pause(1000);
    if (cpuMilliseconds(pids()) - before < 400) return;
  }
}

async function findingsOf(
  { stage, victim, assault, accounts }: Scene,
  { watch, windows, tally, used }: { watch: Watch; windows: Window[]; tally: Tally; used: Findings['used'] },
): Promise<Findings> {
  await victim.stop();
  const sql = await openOwner(stage.config.databaseUrl);
  const problems = {
    victim: await problemsOf(sql, accounts.victim),
    attacker: await problemsOf(sql, accounts.attacker),
  };
  const left = await unnamed(sql, accounts.attacker);
  await sql.close();
  const drifts = await auditDatabase(stage.config.databaseUrl).catch((error: unknown) => [
    `the audit failed: ${error}`,
  ]);
  return {
    tally,
    used,
    problems,
    unnamed: left,
    failures: victim.failures,
    ended: watch.ended,
    memory: watch.memory,
    comparisons: compare(victim.samples, windows),
    drifts: drifts.map((drift) => (typeof drift === 'string' ? drift : JSON.stringify(drift))),
    samples: victim.samples,
    stretches: assault.stretches,
  };
}
