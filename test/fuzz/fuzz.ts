import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Fuzzing {
  /** Program of schemathesis. */
  schemathesis: string;
  /** Where the API's document is, and the key and the access token to use it with. */
  baseUrl: string;
  key: string;
  token: string;
  seconds: number;
  seed: number;
  /** Also demands that invalid requests are refused. */
  refusals: boolean;
}

/** How it ended, and everything it said. */
export interface FuzzResult {
  exitCode: number;
  output: string;
}

/** Checked for every answer: no 5xx, and no status, header or body that the document does not have. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'use_after_free',
  'ignored_auth',
];

const HOOKS = fileURLToPath(new URL('./hooks.py', import.meta.url));

/**
 * What breaks the document must be refused. Now and then this check refuses a request that came out valid, because a query cannot
 * carry an empty object: so it is for people to read, not for a test that must not fail by chance.
 */
const REFUSALS = 'refused_unless_empty';

/** What would end the run for all others: the key that it uses is gone, or its rate limit is one request a second. */
const APART = ['deleteApiKey', 'updateAccount'];
const APART_SECONDS = 20;
/** Of the time: what a token may do differs from what a key may by a few operations. */
const SHARE_OF_TOKEN = 0.2;

/** A call of `fuzz` runs schemathesis so many times: with a token, with a key, and with a key for what is kept apart. */
export const PARTS = 3;

/** One run of schemathesis: for so long, with a credential, with or without what is kept apart. */
interface Part {
  seconds: number;
  credential: string[];
  apart: 'exclude' | 'include';
}

/** Sends what the document allows and what it does not, for so many seconds, in an order that the seed decides. */
export async function fuzz(fuzzing: Fuzzing): Promise<FuzzResult> {
  const { baseUrl, key, token, seconds } = fuzzing;
  const [byKey, byToken] = [
    ['--auth', `${key}:`],
    ['--header', `Authorization: Bearer ${token}`],
  ];
  const ofToken = Math.ceil(seconds * SHARE_OF_TOKEN);
  // The key ends the token's grant sooner or later; the token cannot.
  const parts: Part[] = [
    { seconds: ofToken, credential: byToken, apart: 'exclude' },
    { seconds: seconds - ofToken, credential: byKey, apart: 'exclude' },
    { seconds: APART_SECONDS, credential: byKey, apart: 'include' },
  ];
  const results: FuzzResult[] = [];
  for (const part of parts) {
    results.push(await send(fuzzing, part));
    if (part.credential !== byToken) continue;
    const account = await fetch(`${baseUrl}/account`, { headers: { Authorization: `Bearer ${token}` } });
    if (!account.ok) throw new Error(`the access token was refused: ${account.status} ${await account.text()}`);
  }
  const failed = results.find(({ exitCode }) => exitCode !== 0);
  return { exitCode: failed?.exitCode ?? 0, output: results.map(({ output }) => output).join('\n') };
}

async function send(fuzzing: Fuzzing, { seconds, credential, apart }: Part): Promise<FuzzResult> {
  const { schemathesis, baseUrl, seed, refusals } = fuzzing;
  const checks = refusals ? [...CHECKS, REFUSALS] : CHECKS;
  const args = [
    'run',
    `${baseUrl}/openapi.json`,
    '--url',
    baseUrl,
    ...credential,
    '--no-color',
    '--checks',
    checks.join(','),
    '--phases',
    'examples,coverage,fuzzing,stateful',
    '--mode',
    'all',
    '--max-time',
    String(seconds),
    '--seed',
    String(seed),
    '--workers',
    '2',
    '--request-timeout',
    '30',
    '--continue-on-failure',
    '--generation-database',
    'none',
    '--suppress-health-check',
    'all',
    ...APART.flatMap((operation) => [`--${apart}-operation-id`, operation]),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'perennial-fuzz-'));
  const env = { ...process.env, SCHEMATHESIS_HOOKS: HOOKS };
  const child = spawn(schemathesis, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part.toString()));
  const exitCode = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  rmSync(folder, { recursive: true, force: true });
  return { exitCode, output: parts.join('') };
}
