import type { EntityManager } from '../../db/orm.ts';
import type { Cipher, Gateways } from '../ports/ports.ts';

/** Everything that calls of a gateway need. */
export interface AttemptDeps {
  em: EntityManager;
  gateways: Pick<Gateways, 'find'>;
  cipher: Cipher;
  systemNow: () => Date;
  /** Time limit for all gateway calls of one run, milliseconds. */
  gatewayDeadline: number;
  log: { warn(fields: object, message: string): void };
}
