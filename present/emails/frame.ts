import type { Frame } from './html.ts';

/** The text of a customized mail, with the sender and the footer of all mails. */
export function framedText({ seller, brand: { address, test }, footer, optOut }: Frame, content: string): string {
  const head = test === null ? [seller] : [test, '', seller];
  const foot = address === '' ? [footer] : [footer, address];
  const stop = optOut ? [`${optOut.label}: ${optOut.href}`] : [];
  return [...head, '', content, '', ...foot, ...stop, ''].join('\n');
}
