import { setTimeout as pause } from 'node:timers/promises';
import { openOwner } from '../../bench/database.ts';
import { cpuMilliseconds } from '../../bench/processes.ts';
import { auditDatabase } from '../../bin/audit.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { type ProblemGroup, problemsOf, unexplainedWork } from './aftermath.ts';
import type { Stretch } from './assault.ts';
import { type Comparison, compare, type Sample, type Window } from './samples.ts';
import { openScene, type Scene, type SceneOptions } from './scene.ts';
import { mergeTallies, type Tally } from './tally.ts';
import { type Watch, watchProcesses } from './watch.ts';

export interface SiegeOptions extends SceneOptions {
  /** Total time of the attacks. The time without attacks comes on top. */
  minutes: number;
  /** Longest wait after the last attack for the attacker's overdue work: until it is done, or a problem names it. 0: none. */
  backlogSeconds: number;
}

/** The results of a siege. */
export interface Findings {
  comparisons: Comparison[];
  tally: Tally;
  /** Requests of the victim that failed. */
  failures: readonly string[];
  ended: readonly string[];
  memory: Watch['memory'];
  problems: { victim: ProblemGroup[]; attacker: ProblemGroup[] };
  /** Overdue work of the attacker that no problem names. */
  unexplained: string[];
  drifts: string[];
  /** Number of windows without attacks that were not measured because the product was still busy with the attack before. */
  notQuiet: number;
  /** Per cent of one processor that each part used in all windows. */
  used: Record<string, [alone: number, attacked: number]>;
  samples: readonly Sample[];
  stretches: readonly Stretch[];
}

/** Longest window with attacks. */
const LONGEST_ATTACK_MINUTES = 5;
/** Time without attacks, as a share of the time with attacks: before the first attack, but at least some minutes, and between all others. */
const ALONE = { first: 0.1, between: 0.1, fewestMinutes: 1.5 };
const WARM_UP_SECONDS = 10;
/** Longest wait after an attack until the product is idle. */
const IDLE_WITHIN_SECONDS = 60;
/** The product counts as idle below this processor time per second. The victim's work alone stays below it. */
const QUIET_MILLISECONDS = 500;

/**
 * Runs the whole product with two businesses. One does its usual work all the time. The other attacks in windows. Windows without attacks
 * come first and between two attacks.
 */
export async function siege(options: SiegeOptions): Promise<Findings> {
  const scene = await openScene(options);
  const watch = watchProcesses(scene.stage);
  try {
    await pause(WARM_UP_SECONDS * 1000);
    const measurements = await alternate(scene, options);
    return await findingsOf(scene, watch, { ...measurements, backlogSeconds: options.backlogSeconds });
  } finally {
    await watch.stop().catch(() => undefined);
    await scene.stop();
  }
}

async function alternate(scene: Scene, { minutes, progress }: SiegeOptions) {
  const pairs = Math.max(2, Math.ceil(minutes / LONGEST_ATTACK_MINUTES));
  const milliseconds = {
    first: Math.max(minutes * ALONE.first, ALONE.fewestMinutes) * 60_000,
    between: ((minutes * ALONE.between) / pairs) * 60_000,
    attacked: (minutes / pairs) * 60_000,
  };
  const windows: Window[] = [];
  const meter = createMeter(scene);
  const tallies: Tally[] = [];
  let notQuiet = 0;
  let isQuiet = true; // before the first attack
  for (let pair = 1; pair <= pairs; pair++) {
    const alone = pair === 1 ? milliseconds.first : milliseconds.between;
    if (isQuiet) windows.push(await measureWindow(meter, 'alone', () => pause(alone)));
    else notQuiet += 1;
    progress(`${pair} of ${pairs}: attacking for ${Math.round(milliseconds.attacked / 1000)} s`);
    windows.push(
      await measureWindow(meter, 'attacked', async () => {
        tallies.push(await scene.assault.attack(Date.now() + milliseconds.attacked));
      }),
    );
    isQuiet = pair === pairs || (await waitUntilIdle(scene));
  }
  return { windows, tally: mergeTallies(tallies), notQuiet, used: meter.used() };
}

async function measureWindow(meter: Meter, kind: 'alone' | 'attacked', work: () => Promise<unknown>): Promise<Window> {
  const startedAt = Date.now();
  meter.begin();
  await work();
  meter.end(kind);
  return { attacked: kind === 'attacked', startedAt, endedAt: Date.now() };
}

interface Meter {
  begin(): void;
  end(kind: 'alone' | 'attacked'): void;
  used(): Findings['used'];
}

/** Measures the processor time of each part, separately for windows with and without attacks. */
function createMeter({ stage, assault }: Scene): Meter {
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

/** Waits until the product is idle for three seconds in a row. Returns false when it is not idle in time. */
async function waitUntilIdle({ stage }: Scene): Promise<boolean> {
  const pids = () => [stage.api.pid, stage.worker.pid, stage.postgres.pid, stage.temporal.pid];
  const until = performance.now() + IDLE_WITHIN_SECONDS * 1000;
  for (let quiet = 0; quiet < 3; ) {
    if (performance.now() > until) return false;
    const before = cpuMilliseconds(pids());
    await pause(1000);
    quiet = cpuMilliseconds(pids()) - before < QUIET_MILLISECONDS ? quiet + 1 : 0;
  }
  return true;
}

/** Overdue work of the attacker that is neither done nor named by a problem in time. A queue that moves is no problem. */
async function lastingBacklog(sql: Sql, attackers: readonly number[], seconds: number): Promise<string[]> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const unexplained = await unexplainedWork(sql, attackers);
    if (unexplained.length === 0 || performance.now() > until) return unexplained;
    await pause(10_000);
  }
}

async function findingsOf(
  { stage, victim, assault, accounts }: Scene,
  watch: Watch,
  {
    windows,
    backlogSeconds,
    ...found
  }: { windows: Window[]; backlogSeconds: number } & Pick<Findings, 'tally' | 'used' | 'notQuiet'>,
): Promise<Findings> {
  await victim.stop();
  const sql = await openOwner(stage.config.databaseUrl);
  const unexplained = await lastingBacklog(sql, accounts.attacker, backlogSeconds);
  await watch.stop();
  const problems = {
    victim: await problemsOf(sql, accounts.victim),
    attacker: await problemsOf(sql, accounts.attacker),
  };
  await sql.close();
  const drifts = await auditDatabase(stage.config.databaseUrl).catch((error: unknown) => [
    `the audit failed: ${error}`,
  ]);
  return {
    ...found,
    problems,
    unexplained,
    failures: victim.failures,
    ended: watch.ended,
    memory: watch.memory,
    comparisons: compare(victim.samples, windows),
    drifts: drifts.map((drift) => (typeof drift === 'string' ? drift : JSON.stringify(drift))),
    samples: victim.samples,
    stretches: assault.stretches,
  };
}
