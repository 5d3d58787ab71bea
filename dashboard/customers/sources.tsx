import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Answer } from '../../client/index.ts';
import type { CareWords } from '../../words/editing/wording.ts';
import { fill } from '../../words/text.ts';
import { canTo, type Own } from '../objects/read.ts';
import { rootOf } from '../place.ts';
import { can } from '../session.ts';
import { useFormWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';
import { Panel } from './panel.tsx';

type Source = Answer<'get', '/customers/{id}/payment_sources'>[number];

interface Doing {
  act: 'defaultSource' | 'removeSource';
  source: Source;
}

export const isCard = (source: Source): source is Extract<Source, { object: 'card' }> => source.object === 'card';

/** What a person calls it: `Visa ···· 4242`. */
export function nameOf(source: Source, care: CareWords): string {
  const maker = isCard(source) ? (source.brand ?? care.card) : (source.bank_name ?? care.bankAccount);
  return `${maker} ···· ${source.last4}`;
}

/** The cards and bank accounts of a customer. */
export function Sources(own: Own) {
  const { row, id } = own;
  const { care } = useFormWords();
  const { session, me, place } = useRouteContext({ from: '__root__' });
  const [doing, setDoing] = useState<Doing | null>(null);
  const [told, tell] = useState('');
  const isAllowed = can(me, 'payments.read');
  const sources = useQuery({
    queryKey: ['sources', id],
    queryFn: () => session.api.get('/customers/{id}/payment_sources', { id: Number(id), per_page: 100 }),
    enabled: isAllowed,
  });
  if (!isAllowed) return null;
  const mayWrite = canTo(me, 'payments.write', row);
  const usual = row.payment_source;
  const usualId = typeof usual === 'object' && usual !== null && 'id' in usual ? usual.id : null;
  return (
    <Panel title={care.sources} error={sources.error}>
      {sources.data?.length === 0 && <p className="none">{care.noSources}</p>}
      <ul className="entries">
        {sources.data?.map((source) => (
          <li key={source.id}>
            <div>
              <strong dir="auto">{nameOf(source, care)}</strong>{' '}
              {source.id === usualId && <span className="status">{care.isDefault}</span>}
              <SourceState source={source} />
            </div>
            {mayWrite && <SourceButtons source={source} isUsual={source.id === usualId} begin={setDoing} />}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <a className="button secondary" href={`${rootOf(place)}/customers/${id}/add_source`}>
          {care.addSource.act}
        </a>
      )}
      <p role="status" className="told">
        {told}
      </p>
      {doing && <SourceDialog {...own} doing={doing} tell={tell} close={() => setDoing(null)} />}
    </Panel>
  );
}

function SourceState({ source }: { source: Source }) {
  const { care } = useFormWords();
  if (!isCard(source)) return <p className="none">{source.verified ? care.verified : care.unverified}</p>;
  const { exp_month: month, exp_year: year } = source;
  return month === null || year === null ? null : <p className="none">{fill(care.expires, { month, year })}</p>;
}

interface ButtonsShown {
  source: Source;
  isUsual: boolean;
  begin(doing: Doing): void;
}

function SourceButtons({ source, isUsual, begin }: ButtonsShown) {
  const { care } = useFormWords();
  return (['defaultSource', 'removeSource'] as const)
    .filter((act) => act === 'removeSource' || !isUsual)
    .map((act) => (
      <Button
        key={act}
        className="secondary"
        aria-label={`${care[act].act}: ${nameOf(source, care)}`}
        onPress={() => begin({ act, source })}
      >
        {care[act].act}
      </Button>
    ));
}

function SourceDialog({ doing: { act, source }, ...begun }: Begun & { doing: Doing }) {
  const { care } = useFormWords();
  const one = { id: Number(begun.id), source: source.id };
  return (
    <ActDialog
      name={act}
      begun={begun}
      isGrave={act === 'removeSource'}
      named={nameOf(source, care)}
      save={({ api }) => {
        if (act === 'removeSource')
          return isCard(source)
            ? api.delete('/customers/{id}/cards/{source}', one)
            : api.delete('/customers/{id}/bank_accounts/{source}', one);
        const change = { make_default: true };
        return isCard(source)
          ? api.patch('/customers/{id}/cards/{source}', change, one)
          : api.patch('/customers/{id}/bank_accounts/{source}', change, one);
      }}
    />
  );
}
