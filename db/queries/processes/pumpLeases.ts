import type { PumpProcess } from '../../../billing/processes.ts';
import type { EntityManager } from '../../orm.ts';

/** A run of a pump. */
export interface PumpRun {
  accountId: number;
  process: PumpProcess;
  /** Id of the endpoint or account. */
  id: number;
  shard?: number;
  /** The run's own name, a UUID. */
  holder: string;
}

/** Takes the lease of a pump, unless another run holds it by the clock of the database. Returns whether it was taken. */
export async function takePumpLease(em: EntityManager, run: PumpRun, milliseconds: number): Promise<boolean> {
  const { accountId, process, id, shard = 0, holder } = run;
  const taken = await em.execute<object[]>(
    `insert into pump_lease (account_id, process, subject_id, shard, holder, held_until)
     values (?, ?, ?, ?, ?, now() + ? * interval '1 ms')
     on conflict (account_id, process, subject_id, shard)
       do update set holder = excluded.holder, held_until = excluded.held_until where pump_lease.held_until <= now()
     returning holder`,
    [accountId, process, id, shard, holder, milliseconds],
  );
  return taken.length > 0;
}

/** Renews the lease, even one that has expired. Returns false if another run has taken it since: its jobs may have been sent. */
export async function renewPumpLease(em: EntityManager, run: PumpRun, milliseconds: number): Promise<boolean> {
  const { accountId, process, id, shard = 0, holder } = run;
  const renewed = await em.execute<object[]>(
    `update pump_lease set held_until = now() + ? * interval '1 ms'
     where account_id = ? and process = ? and subject_id = ? and shard = ? and holder = ? returning holder`,
    [milliseconds, accountId, process, id, shard, holder],
  );
  return renewed.length > 0;
}

/** Ends the lease, if the run still has it. */
export async function endPumpLease(em: EntityManager, run: PumpRun): Promise<void> {
  const { accountId, process, id, shard = 0, holder } = run;
  await em.execute(
    'delete from pump_lease where account_id = ? and process = ? and subject_id = ? and shard = ? and holder = ?',
    [accountId, process, id, shard, holder],
  );
}
