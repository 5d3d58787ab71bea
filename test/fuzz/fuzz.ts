import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Fuzzing {
  /** Path of the schemathesis program. */
  schemathesis: string;
  /** Base URL of the API, which has the OpenAPI document at /openapi.json. */
  baseUrl: string;
  key: string;
  token: string;
  seconds: number;
  seed: number;
  /** Also checks that invalid requests are refused. */
  refusals: boolean;
}

export interface FuzzResult {
  exitCode: number;
  output: string;
}

/** Checks of every answer: no 5xx, and no status, header or body that the document does not describe. */
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
 * A request that violates the document must be refused. The check has rare false alarms: a query string cannot carry an empty object,
 * so an invalid request can become valid when it is sent. The test therefore leaves it out.
 */
const REFUSALS = 'refused_unless_empty';

/** Operations that spoil the run for all others: they delete the key in use, or lower its rate limit to one request per second. */
const APART = ['deleteApiKey', 'updateAccount'];
const APART_SECONDS = 20;
/** Share of the time spent with an access token. It is small because tokens and keys have nearly the same permissions. */
const SHARE_OF_TOKEN = 0.2;

/** Runs of schemathesis per call of `fuzz`: with a token, with a key, and with a key for the operations in `APART`. */
export const PARTS = 3;

/** One run of schemathesis. `apart`: whether it sends only the operations in `APART`, or all but them. */
interface Part {
  seconds: number;
  credential: string[];
  apart: 'exclude' | 'include';
}

/** Sends valid and invalid requests for a number of seconds. The seed decides their order. */
export async function fuzz(fuzzing: Fuzzing): Promise<FuzzResult> {
  const { baseUrl, key, token, seconds } = fuzzing;
  const [byKey, byToken] = [
    ['--auth', `${key}:`],
    ['--header', `Authorization: Bearer ${token}`],
  ];
  const ofToken = Math.ceil(seconds * SHARE_OF_TOKEN);
  // The token goes first: a request with the key sooner or later revokes the token's grant.
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
