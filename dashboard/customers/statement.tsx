import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { CareWords } from '../../words/editing/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField, Values } from '../forms/field.ts';
import { textOf } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { saveFile } from '../shell/taking.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import type { Formats } from '../written.ts';
import { ActDialog, type Begun } from './act.tsx';
import { optionsOf } from './talking.tsx';

/** Mails the statement. Who gets it and what it says are shown before. */
export function SendStatement(begun: Begun) {
  const { care } = useFormWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const id = Number(begun.id);
  const contacts = useQuery({
    queryKey: ['contacts', begun.id, 'primary'],
    queryFn: () =>
      session.api.get('/customers/{customer_id}/contacts', {
        customer_id: id,
        filter: { primary: true },
        per_page: 100,
      }),
  });
  if (contacts.isPending) return null;
  const own = textOf(begun.row, 'email');
  const addresses = [own, ...(contacts.data?.map(({ email }) => email ?? '') ?? [])].filter((one) => one !== '');
  const fields: FormField[] = [
    {
      name: 'to',
      label: care.recipients,
      kind: 'text',
      isRequired: true,
      isWide: true,
      initial: [...new Set(addresses)].join(', '),
      hint: care.recipientsHint,
    },
    {
      name: 'type',
      label: care.kind,
      kind: 'choice',
      isRequired: true,
      initial: Object.keys(care.statementType)[0] ?? '',
      choices: optionsOf(care.statementType),
    },
    { name: 'start', label: care.from, kind: 'day' },
    { name: 'end', label: care.until, kind: 'day' },
    { name: 'subject', label: care.subject, kind: 'text', isWide: true, hint: care.subjectHint },
    { name: 'message', label: care.message, kind: 'textarea', hint: care.messageHint },
  ];
  const names = new Map(contacts.data?.map(({ email, name }) => [email, name]));
  names.set(own, textOf(begun.row, 'name'));
  return (
    <ActDialog
      name="statement"
      begun={begun}
      sections={[{ title: null, fields }]}
      beside={(values) => <StatementPreview id={id} values={values} />}
      save={({ api, body, values }) => {
        const typed = String(values.to ?? '').split(',');
        const to = typed.map((one) => one.trim()).filter((one) => one !== '');
        const people = to.map((email) => ({ email, name: names.get(email) ?? email }));
        return api.post('/customers/{id}/emails', Object.assign({}, body, { to: people }, rangeOf(values, formats)), {
          id,
        });
      }}
    />
  );
}

type Kind = keyof CareWords['statementType'];

/** The kind and the days of a statement, as it is previewed and mailed. Days that are only half typed count as not there. */
function rangeOf({ type, start, end }: Values, formats: Formats): { type: Kind; start?: number; end?: number } {
  const dayIn = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);
  const [from, until] = [dayIn(start), dayIn(end)];
  return {
    type: type === 'open_item' ? type : 'balance_forward',
    ...(from ? { start: formats.startOf(from) } : {}),
    ...(until ? { end: formats.endOf(until) } : {}),
  };
}

interface Previewed {
  id: number;
  values: Values;
}

/** What a statement of this kind and range says, its mail and its PDF. */
function StatementPreview({ id, values }: Previewed) {
  const { care } = useFormWords();
  const words = useCaringWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const asked = rangeOf(values, formats);
  const read = useQuery({
    queryKey: ['statement', id, asked],
    queryFn: () => session.api.get('/customers/{id}/statement', Object.assign({ id }, asked)),
  });
  const file = useMutation({
    mutationFn: () => session.api.bytes('/customers/{id}/statement', 'application/pdf', Object.assign({ id }, asked)),
    onSuccess: ({ bytes, name }) => saveFile(bytes, name ?? `statement-${id}.pdf`),
  });
  if (read.isError) return <ErrorNote error={read.error} />;
  if (!read.data) return <p className="preview"> </p>;
  const { closing_balance: balance, aging, currency } = read.data;
  const overdue = aging.days_1_30 + aging.days_31_60 + aging.days_61_90 + aging.over_90;
  return (
    <div className="preview">
      <p aria-live="polite">
        {fill(care.statementSays, {
          balance: formats.money(balance, currency),
          overdue: formats.money(overdue, currency),
        })}
      </p>
      <Button className="secondary" isPending={file.isPending} onPress={() => file.mutate()}>
        {words.statementFile}
      </Button>
      {file.isError && <ErrorNote error={file.error} />}
      {can(me, 'settings.read') && <MailPreview id={id} values={values} />}
    </div>
  );
}

/** The mail as it will be sent, read once it is asked for. */
function MailPreview({ id, values }: Previewed) {
  const words = useCaringWords();
  const { loading } = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const [isOpen, setOpen] = useState(false);
  const statement = rangeOf(values, formats);
  const mail = useQuery({
    queryKey: ['statement mail', id, statement],
    queryFn: () => {
      const body = { object: { type: 'customer' as const, id }, statement };
      return session.api.post('/email_templates/{id}/preview', body, { id: 'statement_email' });
    },
    enabled: isOpen,
  });
  const typed = (name: string) => String(values[name] ?? '').trim();
  return (
    <details className="mailed" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.statementMail}</summary>
      {mail.isError && <ErrorNote error={mail.error} />}
      {mail.isPending && <p role="status">{loading}</p>}
      {mail.data && (
        <>
          <strong dir="auto">{typed('subject') || mail.data.subject}</strong>
          <p className="words" dir="auto">
            {typed('message') || mail.data.text}
          </p>
        </>
      )}
    </details>
  );
}
