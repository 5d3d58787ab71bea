import { ALL, type Comparison, PROBE } from './samples.ts';
import type { Findings } from './siege.ts';

/** Limit: p99 of the victim under attack, as a multiple of its p99 alone. */
export const MOST_TIMES = 3;
/** Limit: p99 of the probe. */
const MOST_PROBE_MILLISECONDS = 100;
/** A kind of request needs this many samples to be judged on its own. With fewer, the p99 is close to the single worst sample. */
const FEWEST = 200;

/** The failures of a siege, one line each. Empty: the product withstood the attacks. */
export function failuresOf(findings: Findings): string[] {
  const { comparisons, tally, failures, unexplained } = findings;
  const slower = comparisons.filter(({ kind, count, ratio }) => {
    return kind !== PROBE && ratio >= MOST_TIMES && (kind === ALL || Math.min(...count) >= FEWEST);
  });
  const stopped = comparisons.filter(({ kind, p99 }) => kind === PROBE && p99[1] >= MOST_PROBE_MILLISECONDS);
  const faults = Object.entries(tally).flatMap(([attack, outcomes]) =>
    Object.entries(outcomes)
      .filter(([status]) => status === '500' || status === 'time-out')
      .map(
        ([status, { count, messages }]) => `"${attack}" was answered ${status} ${count} times: ${messages.join(' / ')}`,
      ),
  );
  return [
    ...damageOf(findings),
    ...slower.map(({ kind, ratio }) => `${kind}: p99 under attack is ${ratio.toFixed(1)} times the p99 alone`),
    ...stopped.map(({ p99 }) => `${PROBE}: p99 under attack is ${p99[1].toFixed(0)} ms`),
    ...failures.slice(0, 20).map((what) => `request of the victim failed: ${what}`),
    ...(failures.length > 20 ? [`${failures.length - 20} more requests of the victim failed`] : []),
    ...faults,
    ...unexplained.map((what) => `overdue without a problem: ${what}`),
  ];
}

/** Lasting damage: processes that ended, problems of the victim, drift in the books. */
export function damageOf({ ended, problems, drifts }: Findings): string[] {
  return [
    ...ended.map((what) => `process ended: ${what}`),
    ...problems.victim.map(({ subject, message }) => `problem of the victim: ${subject}: ${message}`),
    ...drifts.map((what) => `audit: ${what}`),
  ];
}

/** The whole report as text. */
export function reportOf(findings: Findings): string {
  const { memory, problems } = findings;
  const sizes = Object.entries(memory).map(
    ([part, { first, most }]) => `${part} ${first.toFixed(0)} to ${most.toFixed(0)} MiB`,
  );
  const shares = Object.entries(findings.used).map(
    ([part, [alone, attacked]]) => `${part} ${alone.toFixed(0)} and ${attacked.toFixed(0)} %`,
  );
  return [
    '',
    'Latency of the victim in milliseconds, alone and under attack',
    ...table(findings.comparisons),
    ...(findings.notQuiet > 0
      ? [
          `  ${findings.notQuiet} windows without attacks were not measured: the product was still busy with the attack before`,
        ]
      : []),
    '',
    'Latency of the victim during each attack, as a multiple of its median alone: the median, then the three worst samples',
    ...worstByAttack(findings),
    '',
    'Answers to each attack',
    ...answers(findings),
    '',
    'Problems of the attacker',
    ...problems.attacker.map(({ subject, message, count }) => `  ${count} x ${subject}: ${message}`),
    '',
    `Share of one processor, alone and under attack: ${shares.join(', ')}`,
    `Memory at the start and at its maximum: ${sizes.join(', ')}`,
    '',
    ...(failuresOf(findings).length === 0
      ? ['The product withstood the attacks.']
      : ['The product failed:', ...failuresOf(findings).map((line) => `  ${line}`)]),
  ].join('\n');
}

function table(comparisons: readonly Comparison[]): string[] {
  const head = ['', 'count alone', 'attacked', 'p50 alone', 'attacked', 'p99 alone', 'attacked', 'ratio of p99'];
  const rows = comparisons.map(({ kind, count, p50, p99, ratio }) => [
    kind,
    ...count.map(String),
    ...[...p50, ...p99].map((value) => value.toFixed(1)),
    ratio.toFixed(2),
  ]);
  return [head, ...rows].map(
    ([name = '', ...cells]) => `  ${name.padEnd(20)}${cells.map((cell) => cell.padStart(13)).join('')}`,
  );
}

/** Several attacks run at the same time. An attack that is high in this list was running whenever the victim was slow. */
function worstByAttack({ comparisons, samples, stretches }: Findings): string[] {
  const usual = new Map(comparisons.map(({ kind, p50 }) => [kind, p50[0]]));
  const names = [...new Set(stretches.map(({ attack }) => attack))];
  const rows = names.map((name) => {
    const during = samples.filter(({ beganAt }) =>
      stretches.some(({ attack, from, to }) => attack === name && beganAt >= from && beganAt < to),
    );
    const times = during
      .map(({ kind, milliseconds }) => ({ kind, times: milliseconds / (usual.get(kind) ?? milliseconds) }))
      .toSorted((a, b) => b.times - a.times);
    const median = times[Math.floor(times.length / 2)]?.times ?? 0;
    return { name, median, worst: times.slice(0, 3).map(({ kind, times: by }) => `${kind} ${by.toFixed(1)}`) };
  });
  return rows
    .toSorted((a, b) => b.median - a.median)
    .map(({ name, median, worst }) => `  ${name.padEnd(32)}median ${median.toFixed(1)}; ${worst.join(', ')}`);
}

function answers({ tally }: Findings): string[] {
  return Object.entries(tally).flatMap(([attack, outcomes]) => [
    `  ${attack}`,
    ...Object.entries(outcomes).flatMap(([status, { count, worstMilliseconds, messages }]) => [
      `    ${status.padEnd(9)}${String(count).padStart(6)} x, slowest ${worstMilliseconds} ms`,
      ...messages.map((message) => `                    ${message}`),
    ]),
  ]);
}
