import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Hold, PromiseToPay, Release } from '../customers/standing.tsx';
import { LogCall } from '../customers/talking.tsx';
import type { FormField } from '../forms/field.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { ActForm, type Begun, type Offered } from '../objects/acts.tsx';
import { useFormWords } from '../words.ts';
import { RowActs } from './rowActs.tsx';
import { useCollectingWords } from './words.ts';

/** What a collector can do for a customer, in a list of many. */
export function CollectorActs({ id, name }: { id: string; name: string }) {
  const { care } = useFormWords();
  const { standing: words } = useCollectingWords();
  const offered = ({ row }: { row: Row }): Offered[] => {
    const isHeld = row.credit_hold === true;
    const isChased = row.chase !== false;
    const act = (
      key: string,
      label: string,
      permission: string,
      Dialog: (begun: Begun) => React.ReactNode,
    ): Offered => ({
      name: key,
      label,
      permissions: [permission],
      does: { Dialog },
    });
    return [
      act('call', care.call.act, 'collections.write', LogCall),
      act('promise', care.promise.act, 'documents.write', PromiseToPay),
      isHeld
        ? act('release', care.release.act, 'customers.write', Release)
        : act('hold', care.hold.act, 'customers.write', Hold),
      {
        ...act('move', words.move.act, 'customers.write', MoveStep),
        permissions: ['customers.write', 'collections.read'],
      },
      isChased
        ? act('off', words.chaseOff.act, 'customers.write', ChaseOff)
        : act('on', words.chaseOn.act, 'customers.write', ChaseOn),
    ];
  };
  return (
    <RowActs
      list="customers"
      id={id}
      name={name}
      permissions={['customers.write', 'documents.write', 'collections.write']}
      offered={offered}
    />
  );
}

/** Chooses the step of its cadence that comes next for the customer. */
function MoveStep(begun: Begun) {
  const { standing: words } = useCollectingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const { id, row } = begun;
  const steps = useQuery({
    queryKey: ['steps of the cadence of', id],
    queryFn: async () => {
      const asked = { id: Number(id), include: 'followed_cadence' } as const;
      const { followed_cadence: cadence = null } = await session.api.get('/customers/{id}', asked);
      return cadence === null ? [] : (await session.api.get('/chasing_cadences/{id}', { id: cadence.id })).steps;
    },
  });
  if (!steps.data) return null;
  const field: FormField = {
    name: 'next_chase_step',
    label: words.nextStep,
    kind: 'choice',
    isId: true,
    isWide: true,
    choices: steps.data.map(({ id: step, name }) => ({ id: String(step), name })),
  };
  return (
    <ActForm
      words={words.move}
      about={`customers/${id}/step`}
      named={textOf(row, 'name')}
      begun={begun}
      row={row}
      etag={begun.etag}
      sections={[{ title: null, fields: [field] }]}
      save={({ api, body }) => api.patch('/customers/{id}', Object.assign({}, body), { id: Number(id) })}
    />
  );
}

const ChaseOff = (begun: Begun) => <Chasing begun={begun} isOn={false} />;
const ChaseOn = (begun: Begun) => <Chasing begun={begun} isOn />;

function Chasing({ begun, isOn }: { begun: Begun; isOn: boolean }) {
  const { standing: words } = useCollectingWords();
  return (
    <ActForm
      words={isOn ? words.chaseOn : words.chaseOff}
      about={`customers/${begun.id}/chase`}
      named={textOf(begun.row, 'name')}
      begun={begun}
      save={({ api }) => api.patch('/customers/{id}', { chase: isOn }, { id: Number(begun.id) })}
    />
  );
}
