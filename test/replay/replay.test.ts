import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { createLog } from '../../bin/log.ts';
import { installRuntime } from '../../bin/worker.ts';
import { bundleWorkflows } from '../../workers/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { installBundle, keptBundles } from './bundles.ts';

const folder = join(import.meta.dirname, 'histories');
const cacheFolder = join(import.meta.dirname, '../../.data/cache');
installRuntime(createLog('warn'));
const recorded = readdirSync(folder).filter((file) => file.endsWith('.json'));

const historyOf = (file: string) => historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8')));

test('every process has a recorded history', () => {
  const processes = new Set(recorded.map((file) => file.split('.')[0]));
  expect([...processes].sort()).toEqual(Object.keys(workflows).sort());
});

test.each(recorded)('current workflows replay %s', async (file) => {
  await Worker.runReplayHistory({ workflowBundle: await bundleWorkflows(cacheFolder) }, historyOf(file));
});

test.each(keptBundles())('a history with a trace replays with the workflows of %s', async (bundle) => {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-bundle-'));
  await installBundle(bundle, folder);
  await Worker.runReplayHistory({ workflowBundle: await bundleWorkflows(folder) }, historyOf('invoice.traced.json'));
  await rm(folder, { recursive: true });
});

test('a replay fails when the workflow has changed', async () => {
  const name = recorded.find((file) => file.startsWith('subscription.')) ?? '';
  const history = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const started = history.events[0].workflowExecutionStartedEventAttributes;
  started.workflowType.name = 'mail'; // the code of another process
  const replay = Worker.runReplayHistory(
    { workflowBundle: await bundleWorkflows(cacheFolder) },
    historyFromJSON(history),
  );
  await expect(replay).rejects.toThrow(/Nondeterminism|determinism/i);
});
