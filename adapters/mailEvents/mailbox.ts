import { fileURLToPath } from 'node:url';
import { Unprintable } from '../../billing/failures.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { MailEvent, MailProviderKind } from '../../commands/ports/ports.ts';
import type { Program } from '../children/child.ts';
import { createPool, type Pool } from '../children/pool.ts';
import { checkBasicAuth, checkPassword } from './basicAuth.ts';

/** Reads reports of mail servers in child processes, which a hostile report can keep busy but not the API. */
export type ReportReader = Pool<string, MailEvent[]>;

const program: Program = {
  file: fileURLToPath(new URL('./reportProgram.ts', import.meta.url)),
  nodeArguments: ['--max-old-space-size=128'],
  environment: {},
  words: { product: 'mail report', plural: 'mail reports', maker: 'reader' },
};

/** Default limits of one report: CPU time and time by the clock in milliseconds, resident memory of its child in MiB. */
const LIMITS = { processorTime: 2000, deadline: 30_000, memory: 320 };

export function createReportReader(): ReportReader {
  return createPool(program, { children: 2, patience: 10_000, mostWaiting: 50, idle: 60_000, limits: LIMITS });
}

/** Reports of mail servers (RFC 3464), which a mailbox passes on as they are. Other messages hold no events. */
export function createMailboxKind(reports: ReportReader): MailProviderKind {
  return {
    name: 'mailbox',
    checkSecret: checkPassword,
    async readEvents(secret, { headers, body }, accountId) {
      checkBasicAuth(secret, headers.authorization);
      return reports.run(body, accountId).catch((error: unknown) => {
        throw error instanceof Unprintable ? refusalOf(error) : error;
      });
    },
  };
}

function refusalOf({ reason }: Unprintable): Refusal {
  return reason === 'content'
    ? new Refusal('body_invalid', 'The event is no message')
    : new Refusal('body_too_large', 'The message takes too long to read: send the report without the mail');
}
