import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import { customerFinder } from '../forms/options.ts';
import { FieldError } from '../forms/saving.ts';
import type { ListName } from '../kinds/kind.ts';
import { useFormWords, useWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';

/** Merges another customer into this one, after its name was typed. */
export function Merge(begun: Begun) {
  const { care } = useFormWords();
  const fields: FormField[] = [
    {
      name: 'customer',
      label: care.mergeWith,
      kind: 'reference',
      isRequired: true,
      isWide: true,
      none: '–',
      finder: customerFinder(begun.id),
    },
    { name: 'typed', label: care.mergeConfirm, kind: 'text', isRequired: true, isWide: true },
  ];
  return (
    <ActDialog
      name="merge"
      begun={begun}
      isGrave
      sections={[{ title: null, fields }]}
      beside={({ customer }) => (typeof customer === 'string' && customer !== '' ? <Moved id={customer} /> : null)}
      save={async ({ api, body, values }) => {
        const other = Number(body.customer);
        const { name } = await api.get('/customers/{id}', { id: other });
        if (name.trim() !== String(values.typed).trim())
          throw new FieldError('typed', fill(care.mergeMismatch, { name }));
        return api.post('/customers/{id}/merge', { customer: other }, { id: Number(begun.id) });
      }}
    />
  );
}

/** How much moves, of what a person may see. */
const counted = ['invoices', 'payments', 'credit_notes', 'subscriptions'] satisfies ListName[];

function Moved({ id }: { id: string }) {
  const { care } = useFormWords();
  const { place } = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const counts = useQuery({
    queryKey: ['moved', id],
    queryFn: () =>
      Promise.all(
        counted.map(async (list) => {
          const asked = { per_page: 1, 'filter[customer]': id };
          const { total } = await session.api.full('get', `/${list}`, Object.assign({}, asked));
          return { list, total: total ?? 0 };
        }),
      ),
  });
  if (!counts.data) return null;
  const what = counts.data.map(({ list, total }) => `${place[list]} ${formats.number(total)}`).join(', ');
  return (
    <p className="preview" aria-live="polite">
      {fill(care.mergeMoves, { what })}
    </p>
  );
}
