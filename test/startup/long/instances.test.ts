import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { projectFolder } from '../../suites.ts';
import { type Instance, listed, newInstance } from '../instance.ts';
import { processesOn, query } from '../running.ts';

const run = promisify(execFile);
const instances: Instance[] = [];
afterAll(() => Promise.all(instances.map((instance) => instance.remove())));

async function instance(options = {}): Promise<Instance> {
  const made = await newInstance(options);
  instances.push(made);
  return made;
}

test('npm run demo plays a year, month by month, and links to its processes, its mail and the reference', async () => {
  const shown = await instance();
  const start = shown.run(['start']);
  await start.isUp();
  const { mailbox_url, docs_url } = shown.running();
  const demo = await run('npm', ['run', 'demo'], { cwd: projectFolder, env: shown.env });
  const months = demo.stdout.match(/^\w+ 2027$/gm);
  expect([months?.length, months?.[0], months?.[11]]).toEqual([12, 'January 2027', 'December 2027']);
  expect(demo.stdout).toContain('In the books: billed 1176.00, collected 1176.00, owed 0.00.');
  // 24 receipts, and a mail to Ben about each of his three declined charges.
  expect(demo.stdout.match(/^ {2}mail: Receipt/gm)).toHaveLength(24);
  expect(demo.stdout.match(/^ {2}mail: (?!Receipt)/gm)?.length).toBeGreaterThanOrEqual(3);

  const [processes, mail, reference] = ['their workflows', 'their mail', 'reference'].map((name) =>
    listed(demo.stdout, name),
  );
  expect([mail, reference]).toEqual([mailbox_url, docs_url]);
  for (const link of [processes, mail, reference]) expect((await fetch(link ?? '')).status).toBe(200);
  const subscriptions = new Set((await processesOn(processes ?? '')).filter((id) => id.includes('/subscription/')));
  expect(subscriptions.size).toBe(2); // Ada's and Ben's; on a test clock each renewal starts a new run
});

test('two instances run at the same time, one of them in a folder that other users cannot enter', async () => {
  const [open, closed] = await Promise.all([instance(), instance({ mode: 0o700 })]);
  const starts = [open.run(['start']), closed.run(['start'])];
  await Promise.all(starts.map((start) => start.isUp()));
  const urls = [open, closed].map((one) => one.running().database_url);
  const folders = await Promise.all(urls.map(async (url) => (await query(url, 'show data_directory'))[0]));
  const asRoot = process.getuid?.() === 0;
  expect(folders[0]).toEqual({ data_directory: join(open.dataFolder, 'postgres') });
  const elsewhere = /^\/var\/lib\/perennial\/[0-9a-f]{16}\/data$/;
  expect(folders[1]).toEqual({
    data_directory: asRoot ? expect.stringMatching(elsewhere) : join(closed.dataFolder, 'postgres'),
  });
  expect(/in (\/var\/lib\/perennial\/[0-9a-f]{16})$/m.test(starts[1]?.output() ?? '')).toBe(asRoot);
  expect(existsSync(join(closed.dataFolder, 'postgres.path'))).toBe(asRoot);
  for (const start of starts) start.process.kill('SIGINT');
  expect(await Promise.all(starts.map((start) => start.exitCode))).toEqual([0, 0]);
});
