import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { MAIL_MILLISECONDS } from '../adapters/mail.ts';
import { storeNamespaceId } from '../commands/accounts/deployments.ts';
import type { EntityManager } from '../db/orm.ts';
import { enqueueCall, enqueueOnce, type WakeKey } from '../db/queries/processes/outbox.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { createActivities } from '../workers/activities.ts';
import { createClockBells } from '../workers/clockBells.ts';
import { createLivePumps } from '../workers/livePumps.ts';
import { runUnlessPaused } from '../workers/pausableWorkers.ts';
import { createQueueProgress } from '../workers/queueProgress.ts';
import { type Rebuild, startRebuild } from '../workers/rebuild.ts';
import { startRelay } from '../workers/relay.ts';
import { ensureSearchAttributes } from '../workers/searchAttributes.ts';
import { createStepShare } from '../workers/stepShare.ts';
import { startSweep } from '../workers/sweep.ts';
import { createTurns, type Long } from '../workers/turns.ts';
import { startWorkers, type WorkerPoolOptions } from '../workers/worker.ts';
import type { Wake } from '../workflows/client.ts';
import type { Config } from './config.ts';
import { createWaker, type Deps, temporalOptions } from './deps.ts';
import { cacheByMemory } from './workerCache.ts';

export interface RunningWorker {
  close(): Promise<void>;
  /** Makes the relay look at the outbox, and advancing test clocks look for work, at once. */
  poke(): void;
  /** Resolves when the workers have ended. Rejects if one fails. */
  readonly ended: Promise<void>;
}

const DAY_MILLISECONDS = 86_400_000;
/** A wake through Temporal takes about as much processor time as this many milliseconds of work on a connection. */
const WAKE_MILLISECONDS = 30;

/** Time for a slow database to take what was sent. */
const RECORDING_MILLISECONDS = 15_000;

/** Maximum time in which a worker ends: that of the longest send or call of a gateway, and of recording it. */
export function closeMillisecondsOf({ webhookTimeoutMilliseconds, gatewayDeadlineMilliseconds }: Config): number {
  return Math.max(MAIL_MILLISECONDS, webhookTimeoutMilliseconds, gatewayDeadlineMilliseconds) + RECORDING_MILLISECONDS;
}

/** Starts workflow workers, relay and sweep in this process. Waits until Temporal can be reached. */
export async function startWorkerRole(deps: Deps): Promise<RunningWorker> {
  installRuntime(deps.log);
  const { em, systemNow, log, config, concurrencyLimit } = deps;
  const waker = createWaker(deps);
  const pumps = createLivePumps();
  const turns = createTurns({
    systemNow,
    call: (named) => enqueueFor(named, (inner, wake) => enqueueCall(inner, wake)),
    queue: (named) => enqueueFor(named, (inner, wake) => enqueueOnce(inner, wake, systemNow())),
  });
  const enqueueFor = async (
    { accountId, process: topic, id: subjectId, shard = 0 }: Long,
    enqueue: (inner: EntityManager, wake: WakeKey) => void | Promise<void>,
  ) => {
    const wake = { accountId, topic, subjectId, shard };
    await withAccount(accountId, () => inTransaction(em, async (inner) => enqueue(inner, wake)));
    relay.poke();
  };
  const wake = async (wanted: Wake) => {
    share.woke(wanted.accountId);
    if (pumps.ring(wanted) || turns.isWaiting(wanted)) return;
    concurrencyLimit.used(wanted.accountId, WAKE_MILLISECONDS);
    await waker.wake(wanted);
  };
  const share = createStepShare({
    crowded: turns.crowded,
    resting: () => concurrencyLimit.resting().filter((tenant) => typeof tenant === 'number'),
  });
  const relay = startRelay({ ...deps, wake, share: share.wakes });
  const clocks = createClockBells();
  const poke = () => {
    relay.poke();
    clocks.ring();
  };
  const progress = createQueueProgress();
  const sweep = startSweep({ ...sweepSettings(deps), poke, progress });
  const connection = await untilConnected(deps);
  const activities = createActivities({ ...deps, pumps, clocks, progress, poke }, turns, share);
  const workers = await runUnlessPaused(deps.clockWatch, () => startWorkers(poolOf(deps, { connection, activities })));
  waker.server.searchable = await ensureSearchAttributes(connection, config.temporal.namespace, log);
  const rebuild = await followNamespace(deps, connection);
  poke();
  return {
    poke,
    ended: workers.ended,
    async close() {
      pumps.close();
      clocks.close();
      await workers.close();
      await turns.close().catch(() => undefined); // they also look by themselves
      await Promise.allSettled([sweep.close(), relay.close(), rebuild?.close()]);
      await Promise.allSettled([waker.close(), connection.close()]);
    },
  };
}

function poolOf(
  { config, deployment, tracing }: Deps,
  { connection, activities }: Pick<WorkerPoolOptions, 'connection' | 'activities'>,
): WorkerPoolOptions {
  return {
    connection,
    namespace: config.temporal.namespace,
    deployment: deployment.id,
    activities,
    closeMilliseconds: closeMillisecondsOf(config),
    cacheFolder: join(config.dataFolder, 'cache'),
    cachedWorkflows: config.workerCache ?? cacheByMemory(memory()),
    interceptors: tracing?.workerInterceptors,
  };
}

function sweepSettings({ config, isPaused = () => false, ...deps }: Deps) {
  const { em, open, systemNow, log, fileStore, cipher, lookUpDelay } = deps;
  return {
    isPaused,
    em,
    open,
    systemNow,
    log,
    fileStore,
    cipher,
    lookUpDelay,
    deliveryHistory: config.webhookHistoryDays === null ? undefined : config.webhookHistoryDays * DAY_MILLISECONDS,
    sweepInterval: config.sweepIntervalMilliseconds,
    sweepAge: config.sweepAgeMilliseconds,
    sweepProblemAge: config.sweepProblemAgeMilliseconds,
  };
}

/** Memory of the machine, and the memory limit of the container, in bytes. */
function memory() {
  return { machine: totalmem(), limit: process.constrainedMemory() };
}

/** Starts to rebuild the processes if this Temporal namespace is not the one in which they were started. Null if it is. */
async function followNamespace(deps: Deps, connection: NativeConnection): Promise<Rebuild | null> {
  const { open, systemNow, log, deployment, config } = deps;
  const described = await connection.workflowService.describeNamespace({ namespace: config.temporal.namespace });
  const id = described.namespaceInfo?.id ?? null;
  if (!id || id === deployment.temporalNamespaceId) return null;
  const store = async () => {
    await storeNamespaceId(deps.em.fork(), id);
    deployment.temporalNamespaceId = id;
  };
  const rebuild = startRebuild({ open, systemNow, log, storeNamespaceId: store }, id);
  await rebuild.begun;
  return rebuild;
}

async function untilConnected(deps: Deps): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect(temporalOptions(deps.config));
    } catch (error) {
      deps.log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'Temporal cannot be reached yet; trying again',
      );
      await delay(1000);
    }
  }
}

let installed = false;

/** Sends the log of Temporal's SDK to our log. A process has one runtime: later calls do nothing. */
export function installRuntime(log: Deps['log']): void {
  if (installed) return;
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const fields = { temporal: true, ...meta };
    if (level === 'ERROR') log.error(fields, message);
    else log.warn(fields, message);
  });
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' });
  Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { filter, forward: {} } } });
}
