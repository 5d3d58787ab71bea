import { join } from 'node:path';
import type { Settings } from '../../bin/config.ts';
import { print } from '../tally.ts';
import { attacks } from './attacks/all.ts';
import { failuresOf, reportOf } from './report.ts';
import { siege } from './siege.ts';

const BACKLOG_SECONDS = 900;

const HELP = `Usage: npm run siege [-- --minutes <n>] [--seed <n>] [--lanes <n>] [--only "<attack>,<attack>"]

One account (the attacker) attacks the whole product while a second one (the victim) issues, prints, mails and charges invoices.
The victim's p99 must stay below three times its p99 without attacks. No process may end. Overdue work of the
attacker must be done, or named by a problem, within 15 minutes of the last attack. The audit must find no drift.

  --minutes <n>   total time of the attacks, 5 by default; windows without attacks come on top
  --seed <n>      seed of the random numbers, 1 by default
  --lanes <n>     number of attacks at the same time, 5 by default
  --only <names>  run only these attacks

Everything stays on the loopback interface.

Attacks
${attacks.map(({ name, tries }) => `  ${name.padEnd(32)}${tries}`).join('\n')}`;

/** Returns the exit code. */
export async function run(settings: Settings, args: readonly string[]): Promise<number> {
  const given = optionsOf(args);
  if (!given) {
    print(HELP);
    return args.includes('--help') ? 0 : 1;
  }
  const findings = await siege({ cacheFolder: join(settings.dataFolder, 'cache'), progress: print, ...given });
  print(reportOf(findings));
  return failuresOf(findings).length === 0 ? 0 : 1;
}

function optionsOf(args: readonly string[]) {
  const given = new Map<string, string>();
  for (let index = 0; index < args.length; index += 2) given.set(args[index] ?? '', args[index + 1] ?? '');
  const { minutes, seed, lanes } = {
    minutes: takeNumber(given, '--minutes', 5),
    seed: takeNumber(given, '--seed', 1),
    lanes: takeNumber(given, '--lanes', 5),
  };
  const only = (given.get('--only') ?? '').split(',').filter(Boolean);
  given.delete('--only');
  const isKnown = only.every((name) => attacks.some((attack) => attack.name === name));
  return given.size === 0 && isKnown && [minutes, seed, lanes].every((number) => number > 0)
    ? { minutes, seed, lanes, only, backlogSeconds: BACKLOG_SECONDS }
    : null;
}

function takeNumber(given: Map<string, string>, name: string, usual: number): number {
  const value = Number(given.get(name) ?? usual);
  given.delete(name);
  return value;
}
