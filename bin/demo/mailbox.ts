import { z } from 'zod';

const mails = z.array(z.object({ subject: z.string(), to: z.array(z.object({ address: z.string() })) }));

/** Subjects of the mails to these addresses in the development mailbox, oldest first. Null if the mailbox cannot be reached. */
export async function readMailbox(url: string | null, addresses: readonly string[]): Promise<string[] | null> {
  if (!url) return null;
  const answer = await fetch(new URL('/email', url)).catch(() => null);
  const read = mails.safeParse(await answer?.json().catch(() => null));
  if (!read.success) return null;
  return read.data
    .filter((mail) => mail.to.some(({ address }) => addresses.includes(address)))
    .map(({ subject }) => subject);
}
