import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { can } from '../session.ts';
import { useToldLater } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useCaringWords, useWords } from '../words.ts';
import { CadenceActs } from './cadenceActs.tsx';
import { type Cadence, type CadenceList, cadencesKey, type InvoiceCadence } from './cadences.ts';
import { useCollectingWords, useCounted, useScheduleText } from './words.ts';
import '../styles/collections.css';

/** How often the progress of planning is asked for while it lasts. */
const PLANNING_MILLISECONDS = 2000;

/** Most cadences of one kind that an account can have. */
const MOST = 100;

/** All cadences of customers. While one is planned anew, they are read again and again. */
function useAllCadences() {
  const { session } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: cadencesKey('chasing_cadences'),
    queryFn: () => session.api.get('/chasing_cadences', { per_page: MOST }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ planning }) => planning !== null) ? PLANNING_MILLISECONDS : false,
  });
}

function useInvoiceCadences() {
  const { session } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: cadencesKey('invoice_chasing_cadences'),
    queryFn: () => session.api.get('/invoice_chasing_cadences', { per_page: MOST }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ planning }) => planning !== null) ? PLANNING_MILLISECONDS : false,
  });
}

/** How customers are asked for what they owe: the cadences with their steps. */
export function CollectionsPage() {
  const words = useCollectingWords();
  const { collections, loading } = useWords();
  const customers = useAllCadences();
  const invoices = useInvoiceCadences();
  const before = useToldLater();
  const [told, setTold] = useState('');
  useTitle(collections);
  return (
    <>
      <div className="title">
        <h1>{collections}</h1>
      </div>
      <p role="status" className="told">
        {told || before}
      </p>
      <div className="tools">
        <Link className="button secondary" to="/collections/promises">
          {words.promises}
        </Link>
      </div>
      <Group title={words.cadences} what={words.cadencesWhat} create={<Create list="chasing_cadences" />}>
        {customers.isError && <Problem error={customers.error} again={() => customers.refetch()} />}
        {customers.isPending && <p role="status">{loading}</p>}
        {customers.data?.length === 0 && (
          <div className="nothing">
            <h3>{words.none}</h3>
            <p>{words.noneWhat}</p>
          </div>
        )}
        <ul className="cadences">
          {customers.data?.map((cadence) => (
            <One key={cadence.id} list="chasing_cadences" cadence={cadence} tell={setTold}>
              {words.mode[cadence.assignment_mode]}
            </One>
          ))}
        </ul>
      </Group>
      <Group
        title={words.invoiceCadences}
        what={words.invoiceCadencesWhat}
        create={<Create list="invoice_chasing_cadences" />}
      >
        {invoices.isError && <Problem error={invoices.error} again={() => invoices.refetch()} />}
        {invoices.data?.length === 0 && <p className="none">{words.noneOfInvoices}</p>}
        <ul className="cadences">
          {invoices.data?.map((cadence) => (
            <One key={cadence.id} list="invoice_chasing_cadences" cadence={cadence} tell={setTold}>
              {null}
            </One>
          ))}
        </ul>
      </Group>
    </>
  );
}

function Group({
  title,
  what,
  create,
  children,
}: Record<'title' | 'what', string> & Record<'create' | 'children', ReactNode>) {
  return (
    <div className="cadence-group">
      <div className="head">
        <h2>{title}</h2>
        {create}
      </div>
      <p className="none">{what}</p>
      {children}
    </div>
  );
}

function Create({ list }: { list: CadenceList }) {
  const words = useCollectingWords();
  const { me } = useRouteContext({ from: '__root__' });
  if (!can(me, 'collections.write')) return null;
  return list === 'chasing_cadences' ? (
    <Link className="button" to="/collections/cadences/new">
      {words.newCadence}
    </Link>
  ) : (
    <Link className="button secondary" to="/collections/invoice_cadences/new">
      {words.newInvoiceCadence}
    </Link>
  );
}

interface Shown {
  list: CadenceList;
  cadence: Cadence | InvoiceCadence;
  tell(text: string): void;
  children: ReactNode;
}

function One({ list, cadence, tell, children }: Shown) {
  const words = useCollectingWords();
  const { chasing } = useCaringWords();
  const counted = useCounted();
  const scheduleText = useScheduleText();
  const { id, name, paused, planning, steps } = cadence;
  const isDefault = 'default' in cadence ? cadence.default : cadence.assignment_mode === 'default';
  return (
    <li className={paused ? 'paused' : ''}>
      <div className="head">
        <h3 dir="auto">{name}</h3>
        {isDefault && <span className="status paid">{words.isDefault}</span>}
        {paused && <span className="status past_due">{words.isPaused}</span>}
      </div>
      {children !== null && <p>{children}</p>}
      <ol className="cadence-line">
        {steps.map((step) => (
          <li key={step.id}>
            <strong dir="auto">{step.name}</strong>
            <span>
              {chasing.actions[step.action]} · {scheduleText(step.schedule)}
            </span>
          </li>
        ))}
      </ol>
      {planning !== null && <p role="status">{counted(words.planning, planning.customers)}</p>}
      <div className="ways">
        {list === 'chasing_cadences' && (
          <Link className="button secondary" to="/collections/cadences/$id" params={{ id: String(id) }} search={{}}>
            {words.who}
          </Link>
        )}
        <CadenceActs list={list} cadence={cadence} deleted={tell} />
      </div>
    </li>
  );
}
