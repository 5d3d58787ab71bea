import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Answer } from '../../client/index.ts';
import type { CareWords } from '../../words/editing/wording.ts';
import { useFormats } from '../formats.ts';
import { keysFrom } from '../forms/drafts.ts';
import { textOf } from '../kinds/kind.ts';
import { rootOf } from '../place.ts';
import type { Session } from '../session.ts';
import { tellLater } from '../shell/kept.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';

type Method = keyof CareWords['sourceMethods'];

/** The fields of a gateway, mounted in the page. */
interface Fields {
  unmount(): void;
  tokenize(): Promise<{ id: string }>;
}

interface Mounting {
  method: Method;
  locale: string;
  fields: Answer<'get', '/payment_fields'>;
  send(method: string, path: string, body: object): Promise<unknown>;
}

declare global {
  interface Window {
    Perennial?: { mount(place: HTMLElement, options: Mounting): Promise<Fields> };
  }
}

const SCRIPT = '/js/tokenize.js';

/** Loads what mounts the fields of gateways. */
function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    if (window.Perennial) return resolve();
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(SCRIPT));
    document.head.append(script);
  });
}

/** The document of this page allows scripts of the gateway, which other pages must not have. */
function loadAnewAfterwards() {
  const own = location.pathname;
  return () => {
    if (location.pathname !== own) location.reload();
  };
}

/**
 * Takes a card or bank account of a customer in the gateway's own fields, which this page alone may show: whoever leaves it loads the next one anew.
 */
export function AddSource({ id }: { id: string }) {
  const { care } = useFormWords();
  const { cancel, fields } = useWords();
  const { session, place } = useRouteContext({ from: '__root__' });
  const [method, setMethod] = useState<Method>('credit_card');
  const [isDefault, setDefault] = useState(false);
  const [keys] = useState(() => keysFrom({}));
  const target = useRef<HTMLDivElement>(null);
  const customer = useQuery({
    queryKey: ['customer of source', id],
    queryFn: () => session.api.get('/customers/{id}', { id: Number(id) }),
  });
  const currency = textOf({ ...customer.data }, 'currency');
  const mounted = useMounted(target, { session, method, currency, isReady: customer.isSuccess });
  useEffect(loadAnewAfterwards, []);
  const back = `${rootOf(place)}/customers/${id}`;
  const save = useMutation({
    mutationFn: async () => {
      const token = await mounted.fields?.tokenize();
      const source = { method, service_token: token?.id ?? '', make_default: isDefault };
      const api = session.api.with({ idempotencyKey: keys.of(source) });
      return api.post('/customers/{id}/payment_sources', source, { id: Number(id) });
    },
    onSuccess: () => {
      tellLater(care.addSource.done);
      location.assign(back);
    },
  });
  const error = customer.error ?? mounted.error ?? save.error;
  return (
    <>
      <a className="back" href={back} dir="auto">
        {customer.data?.name ?? id}
      </a>
      <h1>{care.addSource.act}</h1>
      <form
        className="form narrow"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending && !save.isSuccess) save.mutate();
        }}
      >
        <fieldset className="group">
          <p className="field wide">{care.addSource.what}</p>
          <label className="field wide">
            <span className="label">{fields.method}</span>
            <select
              value={method}
              onChange={({ target: { value } }) => setMethod(isMethod(care, value) ? value : method)}
            >
              {Object.entries(care.sourceMethods).map(([one, name]) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <div className="field wide mounted" ref={target} />
          <label className="field wide box">
            <input type="checkbox" checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
            {care.makeDefault}
          </label>
        </fieldset>
        {error && !hasField(error) && <ErrorNote error={error} />}
        <div className="buttons">
          <button type="submit">{care.addSource.act}</button>
          <a className="button secondary" href={back}>
            {cancel}
          </a>
        </div>
      </form>
    </>
  );
}

const isMethod = ({ sourceMethods }: CareWords, text: string): text is Method => text in sourceMethods;

/** Errors that the fields show themselves. */
const hasField = (error: Error): boolean => error.name === 'FieldError' && 'param' in error && error.param !== null;

interface Wanted {
  session: Session;
  method: Method;
  /** Empty: that of the account. */
  currency: string;
  isReady: boolean;
}

/** Mounts the fields of the gateway that stores such a source. */
function useMounted(target: RefObject<HTMLDivElement | null>, { session, method, currency, isReady }: Wanted) {
  const { language: locale } = useFormats();
  const [mounted, setMounted] = useState<{ fields: Fields | null; error: Error | null }>({ fields: null, error: null });
  useEffect(() => {
    if (!isReady) return;
    let [isOver, fields]: [boolean, Fields | null] = [false, null];
    const mount = async () => {
      const asked = currency === '' ? { method } : { method, currency };
      const [gateway] = await Promise.all([session.api.get('/payment_fields', asked), loadScript()]);
      if (isOver || !target.current || !window.Perennial) return;
      const send = (_: string, path: string, body: object) =>
        path === '/service_tokens'
          ? session.api.post('/service_tokens', Object.assign({ method, gateway_token: '' }, body))
          : session.api.post('/test_gateway/tokens', Object.assign({}, body));
      fields = await window.Perennial.mount(target.current, { method, locale, fields: gateway, send });
      if (isOver) fields.unmount();
      else setMounted({ fields, error: null });
    };
    mount().catch((error: unknown) =>
      setMounted({ fields: null, error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isOver = true;
      fields?.unmount();
    };
  }, [session, method, currency, isReady, locale, target]);
  return mounted;
}
