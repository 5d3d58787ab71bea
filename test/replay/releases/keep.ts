import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import { startTestServers } from '../../jest/servers.ts';
import { startProduct } from '../../support/product.ts';
import { startReceiver } from '../../support/receiver.ts';
import { BEGIN } from '../../support/scenario.ts';
import { fastSweepConfig, steppedTime } from '../../support/steppedTime.ts';
import { recordHistory } from '../record.ts';
import { copyDatabase } from './databaseCopy.ts';
import { describeRelease } from './release.ts';
import { playScene } from './scene.ts';

/**
 * `node test/replay/releases/keep.ts <version>`, in a working copy of that version: stores a small database with work of every kind in
 * flight, and the histories of its processes. Tests of later versions finish this work.
 */
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, for example 0.1.0');
const servers = startTestServers({ temporal: true }, () => undefined);
try {
  Object.assign(process.env, await servers.ready);
  await play();
} finally {
  await servers.stop();
}

async function play(): Promise<void> {
  const time = steppedTime(BEGIN);
  const impatient = { clockPatienceMilliseconds: 3000, gatewayDeadlineMilliseconds: 8000 };
  const product = await startProduct({
    worker: false,
    systemNow: time.systemNow,
    config: { ...fastSweepConfig, ...impatient },
  });
  const receiver = await startReceiver();
  try {
    const worker = await product.startWorker();
    const keep = async () => {
      const { key: sandboxKey, liveKey, accountId, deps } = product;
      const sql = await copyDatabase(product.config.databaseUrl);
      writeFileSync(join(import.meta.dirname, `${version}.sql.gz`), gzipSync(sql, { level: 9 }));
      await keepHistories(product.config.temporal.address, deps.deployment.id);
      describeRelease(version, { at: time.systemNow().toISOString(), liveKey, sandboxKey, accountId });
    };
    await playScene({ product, time, receiver, stopWorker: () => worker.close(), keep });
  } finally {
    await product.close();
    await receiver.stop();
  }
}

/** Records the history of one running process of every type. */
async function keepHistories(address: string, deployment: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const kept = new Set<string>();
  for await (const { workflowId, type, status } of client.workflow.list()) {
    if (!workflowId.startsWith(`${deployment}/`) || status.name !== 'RUNNING' || kept.has(type)) continue;
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    if ((history.events?.length ?? 0) < 5) continue; // it has not started its work yet
    kept.add(type);
    await recordHistory(client, workflowId, `${type}.in_flight_${version}`);
  }
  await connection.close();
}
