import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Fuzzing {
  /** Program of schemathesis. */
  schemathesis: string;
  /** Where the API's document is, and the key to use it with. */
  baseUrl: string;
  key: string;
  seconds: number;
  seed: number;
}

/** How it ended, and everything it said. */
export interface FuzzResult {
  exitCode: number;
  output: string;
}

/** What is held against every answer: no 5xx, and no status, header or body that the document does not have. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'use_after_free',
  'ignored_auth',
];

/** Sends what the document allows and what it does not, for so many seconds, in an order that the seed decides. */
export async function fuzz(fuzzing: Fuzzing): Promise<FuzzResult> {
  const { schemathesis, baseUrl, key, seconds, seed } = fuzzing;
  const folder = mkdtempSync(join(tmpdir(), 'perennial-fuzz-'));
  const args = [
    ...['run', `${baseUrl}/openapi.json`, '--url', baseUrl, '--auth', `${key}:`, '--no-color'],
    ...['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all'],
    ...['--max-time', String(seconds), '--seed', String(seed), '--workers', '2', '--request-timeout', '30'],
    ...['--continue-on-failure', '--generation-database', 'none', '--suppress-health-check', 'all'],
  ];
  const child = spawn(schemathesis, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part.toString()));
  const exitCode = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  return { exitCode, output: parts.join('') };
}
