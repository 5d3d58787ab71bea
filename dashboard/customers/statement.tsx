import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import type { CareWords } from '../../words/editing/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField, Values } from '../forms/field.ts';
import { textOf } from '../kinds/kind.ts';
import { MailPreview, mailFields, type SentMail, sentMail } from '../objects/mailPreview.tsx';
import { ErrorNote } from '../shell/problem.tsx';
import { saveFile } from '../shell/taking.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import type { Formats } from '../written.ts';
import { ActDialog, type Begun } from './act.tsx';
import { optionsOf } from './talking.tsx';

/** Mails the statement. Who gets it and what it says are shown before. */
export function SendStatement(begun: Begun) {
  const { care } = useFormWords();
  const { fields: words } = useWords();
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
  const balance = useQuery({
    queryKey: ['currencies of', begun.id],
    queryFn: () => session.api.get('/customers/{id}/balance', { id }),
  });
  if (contacts.isPending || balance.isPending) return null;
  const currencies = balance.data?.currencies ?? [];
  const own = textOf(begun.row, 'email');
  const addresses = [own, ...(contacts.data?.map(({ email }) => email ?? '') ?? [])].filter((one) => one !== '');
  const more: FormField[] = [
    {
      name: 'type',
      label: care.kind,
      kind: 'choice',
      isRequired: true,
      initial: Object.keys(care.statementType)[0] ?? '',
      choices: optionsOf(care.statementType),
    },
    ...(currencies.length > 1
      ? [
          {
            name: 'currency',
            label: words.currency,
            kind: 'choice' as const,
            isRequired: true,
            initial: currencies[0] ?? '',
            choices: currencies.map((code) => ({ id: code, name: code.toUpperCase() })),
          },
        ]
      : []),
    { name: 'start', label: care.from, kind: 'day' },
    { name: 'end', label: care.until, kind: 'day' },
  ];
  const names = new Map(contacts.data?.map(({ email, name }) => [email ?? '', name]));
  names.set(own, textOf(begun.row, 'name'));
  const sentOf = (values: Values): Sent => ({ ...sentMail(values, names), ...rangeOf(values, formats) });
  return (
    <ActDialog
      name="statement"
      begun={begun}
      sections={[{ title: null, fields: mailFields(care, { addresses, more }) }]}
      beside={(values) => <StatementPreview id={id} values={values} sent={sentOf(values)} />}
      save={({ api, values }) => api.post('/customers/{id}/emails', sentOf(values), { id })}
    />
  );
}

type Kind = keyof CareWords['statementType'];

interface Range {
  type: Kind;
  currency?: string;
  start?: number;
  end?: number;
}

/** What is sent, and what its preview shows. */
interface Sent extends Range, SentMail {}

/** The kind, the currency and the days of a statement, as it is previewed and mailed. Days that are only half typed count as not there. */
function rangeOf({ type, currency, start, end }: Values, formats: Formats): Range {
  const dayIn = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);
  const [from, until] = [dayIn(start), dayIn(end)];
  return {
    type: type === 'open_item' ? type : 'balance_forward',
    ...(typeof currency === 'string' && currency !== '' ? { currency } : {}),
    ...(from ? { start: formats.startOf(from) } : {}),
    ...(until ? { end: formats.endOf(until) } : {}),
  };
}

interface Previewed {
  id: number;
  values: Values;
  sent: Sent;
}

/** What a statement of this kind and range says, its mail and its PDF. */
function StatementPreview({ id, values, sent }: Previewed) {
  const { care } = useFormWords();
  const words = useCaringWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
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
      <MailPreview
        title={words.statementMail}
        about={`customers/${id}`}
        sent={sent}
        read={(api, mail) => api.post('/customers/{id}/emails/preview', mail, { id })}
      />
    </div>
  );
}
