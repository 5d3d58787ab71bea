/** Senders of events about mail. `mailbox`: a mailbox passes messages of mail servers on. */
export const mailProviders = ['ses', 'postmark', 'sendgrid', 'mailbox'] as const;
export type MailProviderName = (typeof mailProviders)[number];
