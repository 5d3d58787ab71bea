import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { afterEach, expect, test } from '@jest/globals';
import { createPdfRenderer, DOCUMENT_LIMITS, type RendererOptions } from '../../adapters/pdf/renderer.ts';
import type { PdfRenderer } from '../../commands/ports/pdf.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { projectFolder } from '../suites.ts';
import { blackPng } from '../support/logo.ts';
import { sampleInvoice } from '../support/printed.ts';
import { until } from '../support/wait.ts';

const opened: { close(): void }[] = [];
const rendererOf = (options: RendererOptions) => {
  const renderer = createPdfRenderer(options);
  opened.push(renderer);
  return renderer;
};
afterEach(() => {
  for (const renderer of opened.splice(0)) renderer.close();
});

const short = printInvoice(sampleInvoice([{ name: 'Hour', unitCost: '1' }]));
/** Typst 0.13 panics on this text, which aborts its process. */
const CRASHES = 'a\u202eb c';
const crashing = { ...short, seller: { ...short.seller, name: CRASHES } };
const manyLines = Array.from({ length: 1000 }, () => ({ name: 'Support hour '.repeat(15), unitCost: '1' }));
const long = printInvoice(sampleInvoice(manyLines));

const endless = { ...long, lines: long.lines.map((line) => ({ ...line, name: 'x'.repeat(3900) })) };

const outcomes = async (asked: Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((one) => (one.status === 'rejected' ? String(one.reason) : 'set'));

/** Ids of the child processes that typeset PDFs for a process. */
function childrenOf(parent: number | undefined): number[] {
  const listed = execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent && args.includes('childProgram') ? [Number(pid)] : [];
  });
}

/** Whether a process runs. A zombie does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

const oneChild = (parent: number | undefined = process.pid) => until(() => childrenOf(parent)[0], { what: 'a child' });
const noChild = () => until(() => childrenOf(process.pid).length === 0, { what: 'no child' });
const untilEnded = (pid: number) => until(() => !isAlive(pid), { what: `the end of process ${pid}` });

test('a document that crashes the typesetter ends its child process; simultaneous and later documents are typeset', async () => {
  const renderer = rendererOf({ children: 2 });
  const asked = [crashing, short, crashing, short].map((document, index) => renderer.render(document, index));
  const crash = expect.stringMatching(
    /^Unprintable: The typesetter crashed \(SIGABRT: begin <= end .* when slicing …\)$/,
  );
  expect(await outcomes(asked)).toEqual([crash, 'set', crash, 'set']);
  expect(await outcomes([renderer.render(short)])).toEqual(['set']);
});

test('a child above the limit of CPU time is killed; another one typesets the next document', async () => {
  const renderer = rendererOf({ children: 1, processorTime: 2000, memory: 4096 });
  const asked = renderer.render(endless);
  const child = await oneChild();
  expect(await outcomes([asked])).toEqual(['Unprintable: It needed more than 2 s of CPU time to render']);
  await untilEnded(child);
  expect(childrenOf(process.pid)).toEqual([]);
  expect(await outcomes([renderer.render(short)])).toEqual(['set']);
});

test('a hanging child is killed at the deadline, which is not reported as a fault of the document; another one typesets the next document', async () => {
  const renderer = rendererOf({ children: 1, deadline: 8000 });
  await renderer.render(short);
  const [child = 0] = childrenOf(process.pid);
  process.kill(child, 'SIGSTOP');
  expect(await outcomes([renderer.render(short)])).toEqual(['Overload: The PDF was not made within 8 s; try again']);
  await untilEnded(child);
  expect(await outcomes([renderer.render(short)])).toEqual(['set']);
});

test('time without the processor does not count against a document', async () => {
  const renderer = rendererOf({ children: 1, processorTime: 3000 });
  await renderer.render(short);
  const [child = 0] = childrenOf(process.pid);
  process.kill(child, 'SIGSTOP');
  const started = performance.now();
  const asked = outcomes([renderer.render(short)]);
  await until(() => performance.now() - started > 4000, { what: 'more time than the document may use' });
  process.kill(child, 'SIGCONT');
  expect(await asked).toEqual(['set']);
  expect(childrenOf(process.pid)).toEqual([child]);
});

test('a child above the limit of memory is killed; another one typesets the next document', async () => {
  const renderer = rendererOf({ children: 1, memory: 140 });
  expect(await outcomes([renderer.render(long)])).toEqual([
    'Unprintable: It needed more than 140 MB of memory to render',
  ]);
  await noChild();
  expect(await outcomes([renderer.render(short)])).toEqual(['set']);
});

test('a used child that is killed does not fail the next document', async () => {
  const renderer = rendererOf({ children: 1 });
  await renderer.render(short);
  const [child = 0] = childrenOf(process.pid);
  process.kill(child, 'SIGSTOP');
  const asked = renderer.render(short);
  process.kill(child, 'SIGKILL');
  expect(await outcomes([asked])).toEqual(['set']);
});

test("a child process does not get its parent's secrets", async () => {
  process.env.PERENNIAL_ENCRYPTION_KEY = 'a secret of this test';
  try {
    await rendererOf({ children: 1 }).render(short);
  } finally {
    delete process.env.PERENNIAL_ENCRYPTION_KEY;
  }
  const [child = 0] = childrenOf(process.pid);
  const told = execFileSync('ps', ['eww', '-o', 'args=', '-p', String(child)], { encoding: 'utf8' });
  expect(told).toContain('RUST_BACKTRACE');
  expect(told).not.toMatch(/secret|PERENNIAL|DATABASE|POSTGRES/);
});

test('there is no child process before the first document, after an idle time, and after closing', async () => {
  const renderer = rendererOf({ children: 1, idle: 50 });
  expect(childrenOf(process.pid)).toEqual([]);
  await renderer.render(short);
  await noChild();
  const closing = rendererOf({ children: 1 });
  const asked = closing.render(long);
  await oneChild();
  closing.close();
  expect(await outcomes([asked])).toEqual([expect.stringMatching(/^Error: /)]);
  await noChild();
});

/** Program that typesets a document for minutes. */
const PARENT = `
  const { createPdfRenderer } = await import('./adapters/pdf/renderer.ts');
  const { render } = createPdfRenderer({ children: 1, processorTime: 600_000, deadline: 600_000, memory: 4096 });
  process.once('message', (document) => void render(document));
`;
function startParent(): ChildProcess {
  const args = ['--input-type=module', '--eval', PARENT];
  return spawn(process.execPath, args, { cwd: projectFolder, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Processor time of a process in whole seconds. */
function processorSeconds(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout
    .trim()
    .split(':')
    .map(Number)
    .reduce((total, part) => total * 60 + part, 0);
}

test('a killed parent leaves no child process, even one in native code', async () => {
  const parent = startParent();
  try {
    parent.send(endless);
    const child = await oneChild(parent.pid);
    await until(() => processorSeconds(child) >= 2, { what: 'a child at work' });
    parent.kill('SIGKILL');
    await untilEnded(child);
  } finally {
    parent.kill('SIGKILL');
  }
});

test('a document may use 20 s of processor time, a minute by the clock, and 512 MiB of memory', () => {
  expect(DOCUMENT_LIMITS).toEqual({ processorTime: 20_000, deadline: 60_000, memory: 512 });
});

test("documents of one account wait for each other, and do not delay another account's documents", async () => {
  const renderer = rendererOf({ children: 2 });
  const order: string[] = [];
  const ask = (accountId: number, document: Parameters<PdfRenderer['render']>[0]) =>
    renderer.render(document, accountId).then(() => order.push(`account ${accountId}`));
  await Promise.all([ask(1, long), ask(1, long), ask(1, long), ask(2, short), ask(2, short)]);
  expect(order).toEqual(['account 2', 'account 2', 'account 1', 'account 1', 'account 1']);
});

test('a document is refused after waiting too long, and at once when its account has too many waiting ones', async () => {
  const impatient = rendererOf({ children: 1, patience: 30 });
  expect(await outcomes([impatient.render(long), impatient.render(short)])).toEqual([
    'set',
    'Overload: No PDF could be started within 30 ms; try again',
  ]);
  const narrow = rendererOf({ children: 1, mostWaiting: 2 });
  expect(await outcomes([1, 1, 1, 1, 2].map((accountId) => narrow.render(short, accountId)))).toEqual([
    'set',
    'set',
    'set',
    'Overload: Too many PDFs are being made; try again',
    'set',
  ]);
});

test('a document is typeset without a picture that has too many pixels', async () => {
  const logo = (side: number) => {
    return { ...short, logo: { type: 'image/png' as const, base64: blackPng(side, side).toString('base64') } };
  };
  const renderer = rendererOf({ children: 1 });
  const without = Buffer.from(await renderer.render(short));
  expect(Buffer.from(await renderer.render(logo(20_000))).equals(without)).toBe(true);
  expect(Buffer.from(await renderer.render(logo(1000))).equals(without)).toBe(false);
});
