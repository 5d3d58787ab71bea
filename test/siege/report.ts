import { ALL, type Comparison, PROBE } from './samples.ts';
import type { Findings } from './siege.ts';

/** The victim's p99 may be so many times what it is alone. */
export const MOST_TIMES = 3;
/** The p99 of the probe stays below. */
const MOST_PROBE_MILLISECONDS = 100;
/** A kind of request is judged by itself where there are so many of it; of fewer the p99 is the worst one. */
const FEWEST = 200;

/** What a siege must not find, in words; none: it withstood the attacks. */
export function failuresOf(findings: Findings): string[] {
  const { comparisons, tally, failures, unnamed } = findings;
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
    ...slower.map(({ kind, ratio }) => `${kind}: p99 is ${ratio.toFixed(1)} times what it is alone`),
    ...stopped.map(({ p99 }) => `${PROBE}: p99 is ${p99[1].toFixed(0)} ms`),
    ...failures.slice(0, 20).map((what) => `the victim: ${what}`),
    ...(failures.length > 20 ? [`the victim: ${failures.length - 20} more`] : []),
    ...faults,
    ...unnamed.map((what) => `no problem names it: ${what}`),
  ];
}

/** What outlasts an attack: processes that ended, work of the victim that could not be done, books that are wrong. */
export function damageOf({ ended, problems, drifts }: Findings): string[] {
  return [
    ...ended.map((what) => `ended: ${what}`),
    ...problems.victim.map(({ subject, message }) => `a problem of the victim: ${subject}: ${message}`),
    ...drifts.map((what) => `audit: ${what}`),
  ];
}

/** Everything for people to read. */
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
    'What the victim waited, milliseconds',
    ...table(findings.comparisons),
    ...(findings.notQuiet > 0
      ? [
          `  ${findings.notQuiet} windows without attacks are not counted: work of the attack before was still being done`,
        ]
      : []),
    '',
    'While each attack went on: the victim took, at the worst, so many times the usual',
    ...worstByAttack(findings),
    '',
    'What the attacks were answered',
    ...answers(findings),
    '',
    'Problems of the attacker',
    ...problems.attacker.map(({ subject, message, count }) => `  ${count} x ${subject}: ${message}`),
    '',
    `Processor, alone and attacked: ${shares.join(', ')}`,
    `Memory: ${sizes.join(', ')}`,
    '',
    ...(failuresOf(findings).length === 0
      ? ['It withstood the attacks.']
      : ['It did not hold:', ...failuresOf(findings).map((line) => `  ${line}`)]),
  ].join('\n');
}

function table(comparisons: readonly Comparison[]): string[] {
  const head = ['', 'alone', 'attacked', 'p50 alone', 'attacked', 'p99 alone', 'attacked', 'ratio of p99'];
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

/** Several attacks go on at a time: the one that is in each bad moment is the one to look at. */
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
    .map(({ name, median, worst }) => `  ${name.padEnd(32)}half ${median.toFixed(1)}; ${worst.join(', ')}`);
}

function answers({ tally }: Findings): string[] {
  return Object.entries(tally).flatMap(([attack, outcomes]) => [
    `  ${attack}`,
    ...Object.entries(outcomes).flatMap(([status, { count, worstMilliseconds, messages }]) => [
      `    ${status.padEnd(9)}${String(count).padStart(6)} x, at most ${worstMilliseconds} ms`,
      ...messages.map((message) => `                    ${message}`),
    ]),
  ]);
}
