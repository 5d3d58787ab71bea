import { join } from 'node:path';
import { openStage } from '../../bench/stage.ts';
import type { Settings } from '../../bin/config.ts';
import { print } from '../tally.ts';
import { ensureSchemathesis } from '../tools.ts';
import { fuzz } from './fuzz.ts';
import { seedSandbox } from './seed.ts';
import { accessToken } from './token.ts';

const HELP = `Usage: npm run fuzz [-- --minutes <n>] [--seed <n>]

Generates valid, invalid and stateful requests from the OpenAPI document and sends them to the whole product, with API keys and
access tokens. Failures: a server error, an undocumented status, an answer that does not match its schema.
Defaults: 5 minutes, seed 1.`;

/** Returns the exit code. */
export async function run(settings: Settings, args: readonly string[]): Promise<number> {
  const given = optionsOf(args);
  if (!given) {
    print(HELP);
    return args.includes('--help') ? 0 : 1;
  }
  const cacheFolder = join(settings.dataFolder, 'cache');
  const schemathesis = ensureSchemathesis(cacheFolder, print);
  const stage = await openStage({ cacheFolder, progress: print });
  try {
    const target = { baseUrl: `${stage.origin}/sandbox/api`, key: stage.sandboxKey };
    await seedSandbox(target);
    const token = await accessToken(stage);
    const { exitCode, output } = await fuzz({ schemathesis, ...target, token, ...given, refusals: true });
    print(output);
    return exitCode;
  } finally {
    await stage.stop();
  }
}

function optionsOf(args: readonly string[]): { seconds: number; seed: number } | null {
  const numbers = new Map([
    ['--minutes', 5],
    ['--seed', 1],
  ]);
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index] ?? '';
    const value = Number(args[index + 1]);
    if (!numbers.has(name) || !(value > 0)) return null;
    numbers.set(name, value);
  }
  return { seconds: Math.round((numbers.get('--minutes') ?? 0) * 60), seed: numbers.get('--seed') ?? 1 };
}
