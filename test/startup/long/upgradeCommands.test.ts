import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../bin/local/ports.ts';
import { createClient } from '../../../client/index.ts';
import { aboutRelease, restoreRelease } from '../../replay/releases/release.ts';
import { projectFolder } from '../../suites.ts';
import { TEST_KEY, type TestDatabase } from '../../support/database.ts';
import { programEnvironment } from '../../support/environment.ts';
import { type Mailbox, startMailbox } from '../../support/mailbox.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';

let database: TestDatabase;
let temporal: PrivateTemporal;
let mailbox: Mailbox;
let env: Record<string, string>;
const started: Command[] = [];

beforeAll(async () => {
  [database, temporal, mailbox] = await Promise.all([restoreRelease('0.1.0'), startPrivateTemporal(), startMailbox()]);
  env = {
    ...programEnvironment(),
    HOME: process.env.HOME ?? '/',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    SMTP_URL: mailbox.url,
    PERENNIAL_ENCRYPTION_KEY: TEST_KEY.toString('base64'),
    PORT: String(await freePort()),
  };
});
afterAll(async () => {
  for (const { process: child } of started) if (child.exitCode === null) signal(child, 'SIGKILL');
  await Promise.all(started.map(({ exitCode }) => exitCode));
  await mailbox.stop();
  await temporal.stop();
  await database.drop();
});

interface Command {
  process: ChildProcess;
  output(): string;
  exitCode: Promise<number | null>;
}

/** Runs a line as somebody does who copies it into a shell. */
function inShell(line: string): Command {
  const child = spawn('sh', ['-c', line], {
    env,
    cwd: projectFolder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const command = {
    process: child,
    output: () => text,
    exitCode: new Promise<number | null>((resolve) => child.once('close', resolve)),
  };
  started.push(command);
  return command;
}

/** To the shell and all that it started. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), name);
  } catch {
    // it has just ended
  }
}

/** Waits for the line that a role prints when it works; throws when the role ends before. */
async function untilReady({ output, exitCode }: Command): Promise<void> {
  const ended = exitCode.then((code) => {
    throw new Error(`It ended with ${code}: ${output()}`);
  });
  await Promise.race([until(() => expect(output()).toMatch(/^Ready/m) ?? true, { what: 'the role' }), ended]);
}

/** The lines of the first shell block of a section of docs/operations.md. */
function commandsOf(section: string): string[] {
  const text = readFileSync(join(projectFolder, 'docs/operations.md'), 'utf8');
  const [, block = ''] = new RegExp(`^## ${section}$[^]*?^\`\`\`sh\\n([^]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  return block.trim().split('\n');
}

test('the three commands of the upgrade bring the database of 0.1.0 to this version, which works on', async () => {
  const commands = commandsOf('Upgrade');
  expect(commands).toHaveLength(3);
  const [migrate = '', worker = '', api = ''] = commands;
  const check = migrate.replace(/migrate\b/, 'migrate --check');
  expect(await inShell(check).exitCode).toBe(2);
  const migrated = inShell(migrate);
  expect({ code: await migrated.exitCode, said: migrated.output() }).toMatchObject({ code: 0 });
  expect(await inShell(check).exitCode).toBe(0);
  const running = [worker, api].map(inShell);
  await Promise.all(running.map(untilReady));

  const { sandboxKey: apiKey } = aboutRelease('0.1.0');
  const client = createClient({ baseUrl: `http://127.0.0.1:${env.PORT}/sandbox/api`, apiKey, retries: 0 });
  const names = (await client.get('/customers')).map(({ name }) => name);
  expect(names.sort()).toEqual(['Ada', 'Bea', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus', 'Ivy', 'Late']);
  const customer = await client.post('/customers', { name: 'New', email: 'new@example.com' });
  const items = [{ name: 'Consulting', unit_cost: 1 }];
  const { id } = await client.post('/invoices', { customer: customer.id, items });
  await client.post('/invoices/{id}/emails', null, { id });
  await mailbox.waitFor((mail) => mail.to.includes('new@example.com'), 'the mail of the new version');

  for (const { process: child } of running) signal(child, 'SIGTERM');
  await Promise.all(running.map(({ exitCode }) => exitCode));
  expect(await inShell('npm run --silent audit').exitCode).toBe(0);
});
