import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/wait.ts';
import { health, type Instance, isRunning, killIfAlive, newInstance, type Program } from '../instance.ts';

let instance: Instance;
let running: Program;

beforeAll(async () => {
  instance = await newInstance();
  running = instance.run(['start']);
  await running.isUp();
});
afterAll(() => instance.remove());

test.each(['API', 'Worker', 'Temporal', 'maildev', 'PostgreSQL'])(
  '%s is restarted after it was killed',
  async (name) => {
    const before = instance.parts();
    process.kill(before[name] ?? 0, 'SIGKILL');
    await until(() => instance.parts()[name] !== before[name], { what: `another ${name}` });
    expect(instance.parts()).toEqual({ ...before, [name]: expect.any(Number) });
    await until(async () => (await health(instance.url)) === 200, { what: 'the API' });
  },
);

test('a start stops the parts that a killed supervisor left behind, and no other process', async () => {
  const before = instance.parts();
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
  process.kill(running.pid, 'SIGKILL');
  await running.exitCode;
  await until(() => !isRunning(before.API ?? 0) && !isRunning(before.Worker ?? 0), {
    what: 'API and worker to end by themselves',
  });
  for (const name of ['PostgreSQL', 'Temporal', 'maildev']) expect(isRunning(before[name] ?? 0)).toBe(true);
  const file = join(instance.dataFolder, 'parts.json');
  const recorded: { name: string; pid: number }[] = JSON.parse(readFileSync(file, 'utf8'));
  // The process id of an ended part now belongs to another process.
  writeFileSync(
    file,
    JSON.stringify(recorded.map((part) => (part.name === 'Worker' ? { ...part, pid: bystander.pid } : part))),
  );

  running = instance.run(['start']);
  await running.isUp();
  expect(running.output()).toContain('left behind: ');
  expect(Object.values(before).filter(isRunning)).toEqual([]);
  expect(isRunning(bystander.pid ?? 0)).toBe(true);
  bystander.kill('SIGKILL');
});

test('a start recovers after everything was killed', async () => {
  const before = [running.pid, ...Object.values(instance.parts())];
  before.forEach(killIfAlive);
  await until(() => !before.some(isRunning), { what: 'everything to be gone' });
  running = instance.run(['start']);
  await running.isUp();
  expect(running.output()).not.toContain('left behind: ');
});
