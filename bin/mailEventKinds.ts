import { createMailboxKind, createReportReader } from '../adapters/mailEvents/mailbox.ts';
import { postmarkKind } from '../adapters/mailEvents/postmark.ts';
import { sendgridKind } from '../adapters/mailEvents/sendgrid.ts';
import { createSesKind } from '../adapters/mailEvents/ses.ts';
import { createSnsReader, type SnsOptions } from '../adapters/mailEvents/sns.ts';
import type { MailProviderKind } from '../commands/ports/ports.ts';

/** The kinds of providers of events about mail. `close` closes their connections and ends their child processes. */
export function openMailEventKinds(options: SnsOptions): { kinds: MailProviderKind[]; close(): Promise<void> } {
  const sns = createSnsReader(options);
  const reports = createReportReader();
  return {
    kinds: [createSesKind(sns), postmarkKind, sendgridKind, createMailboxKind(reports)],
    async close() {
      reports.close();
      await sns.close();
    },
  };
}
