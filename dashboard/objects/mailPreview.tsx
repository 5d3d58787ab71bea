import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer, Client } from '../../client/index.ts';
import type { CareWords } from '../../words/editing/wording.ts';
import type { FormField, Values } from '../forms/field.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { useFormWords, useWords } from '../words.ts';

/** What a send takes of what was typed. */
export interface SentMail {
  to: { name: string; email: string }[];
  subject?: string;
  message?: string;
}

/** The recipients, subject and message of a mail. Addresses that are known have names. */
export function sentMail(values: Values, names: ReadonlyMap<string, string>): SentMail {
  const typed = (name: string) => String(values[name] ?? '').trim();
  const to = typed('to')
    .split(',')
    .flatMap((one) => one.trim() || []);
  return {
    to: to.map((email) => ({ email, name: names.get(email) ?? email })),
    ...(typed('subject') ? { subject: typed('subject') } : {}),
    ...(typed('message') ? { message: typed('message') } : {}),
  };
}

/** The fields of a mail: to whom, and between them and its subject and message what else it needs. */
export function mailFields(
  { recipients, recipientsHint, subject, subjectHint, message, messageHint }: CareWords,
  { addresses, more = [] }: { addresses: readonly string[]; more?: readonly FormField[] },
): FormField[] {
  const initial = [...new Set(addresses)].join(', ');
  return [
    { name: 'to', label: recipients, kind: 'text', isRequired: true, isWide: true, initial, hint: recipientsHint },
    ...more,
    { name: 'subject', label: subject, kind: 'text', isWide: true, hint: subjectHint },
    { name: 'message', label: message, kind: 'textarea', hint: messageHint },
  ];
}

/** The names of a customer and its primary contacts by their addresses; null: they are being read. `id` empty: of nobody. */
export function useRecipients(id: string): ReadonlyMap<string, string> | null {
  const { session } = useRouteContext({ from: '__root__' });
  const customer = Number(id);
  const known = useQuery({
    queryKey: ['recipients', id],
    queryFn: async () => {
      if (id === '') return [];
      const primary = { customer_id: customer, filter: { primary: true }, per_page: 100 };
      const [own, contacts] = await Promise.all([
        session.api.get('/customers/{id}', { id: customer }),
        session.api.get('/customers/{customer_id}/contacts', primary),
      ]);
      return [own, ...contacts].flatMap(({ name, email }): [string, string][] => (email ? [[email, name]] : []));
    },
  });
  return known.isPending ? null : new Map(known.data);
}

interface Shown<Sent> {
  title: string;
  /** Names the object whose mail it is. */
  about: string;
  sent: Sent;
  read(api: Client, sent: Sent): Promise<Answer<'post', '/invoices/{id}/emails/preview'>>;
}

const SETTLED_MILLISECONDS = 400;

/** The mail as the API would send it, read once it is asked for. */
export function MailPreview<Sent>({ title, about, sent: latest, read }: Shown<Sent>) {
  const { care } = useFormWords();
  const { loading } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const [isOpen, setOpen] = useState(false);
  const sent = useSettled(latest, SETTLED_MILLISECONDS);
  const mail = useQuery({
    queryKey: ['mail', about, sent],
    queryFn: () => read(session.api, sent),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  return (
    <details className="mailed" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {mail.isError && <ErrorNote error={mail.error} />}
      {mail.isPending && <p role="status">{loading}</p>}
      {!mail.isError && mail.data && (
        <>
          <p className="none" dir="auto">
            {care.recipients}: {mail.data.to.map(({ email }) => email).join(', ')}
          </p>
          <strong dir="auto">{mail.data.subject}</strong>
          <p className="words" dir="auto">
            {mail.data.text}
          </p>
        </>
      )}
    </details>
  );
}
