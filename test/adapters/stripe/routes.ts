import { lifeOfToken, tokenMethod, usageOfToken } from './confirming.ts';
import { missing } from './fault.ts';
import { type Params, textIn, textsIn } from './form.ts';
import { listPage } from './lists.ts';
import { createMethod, detach, readMethod } from './methods.ts';
import { cancelPayment, confirmPayment, createPayment } from './payments.ts';
import { createRefund } from './refunds.ts';
import { cancelSetup, confirmSetup, createSetup, verifySetup } from './setups.ts';
import { found, type Intent, type World } from './world.ts';

type Handler = (world: World, id: string, params: Params) => unknown;

const payment = (world: World, id: string) => found(world.payments, id, 'payment_intent');
const setup = (world: World, id: string) => found(world.setups, id, 'setupintent');

function update(object: Record<string, unknown>, params: Params) {
  object.metadata = { ...Object(object.metadata), ...textsIn(params, 'metadata') };
  return object;
}

function createCustomer(world: World, _id: string, params: Params) {
  const id = world.newId('cus');
  const customer = { id, object: 'customer' as const, metadata: textsIn(params, 'metadata') };
  world.customers.set(id, customer);
  return customer;
}

/** Understands queries of metadata that are joined by AND. */
function searchCustomers(world: World, _id: string, params: Params) {
  const query = textIn(params, 'query') ?? '';
  const wanted = [...query.matchAll(/metadata\['(\w+)'\]:'([^']*)'/g)];
  const isWanted = (metadata: Record<string, string>) =>
    wanted.every(([, name = '', value]) => metadata[name] === value);
  const data = [...world.customers.values()].filter(({ metadata }) => isWanted(metadata));
  return { object: 'search_result', data, has_more: false };
}

function readCustomer(world: World, id: string) {
  return world.deleted.has(id) ? { id, object: 'customer', deleted: true } : found(world.customers, id, 'customer');
}

function retrieveToken(world: World, id: string) {
  const { method } = readMethod(world, tokenMethod(id));
  const preview = { ...method, id: undefined };
  const facts = { setup_future_usage: usageOfToken(id), payment_method_preview: preview };
  return { id, object: 'confirmation_token', ...lifeOfToken(world, id), ...facts };
}

function createToken(world: World, _id: string, params: Params) {
  const method = (textIn(params, 'payment_method') ?? '').replace(/^pm_/, '');
  return retrieveToken(world, `ctoken_${textIn(params, 'setup_future_usage') ? 'saved_' : ''}${method}`);
}

/** The requests that the server knows, with the id of the object as `:id`. */
const ROUTES: Readonly<Record<string, Handler>> = {
  'POST customers': createCustomer,
  'GET customers/search': searchCustomers,
  'GET customers/:id': readCustomer,
  'POST payment_methods': (world, _id, params) => createMethod(world, params),
  'GET payment_methods/:id': (world, id) => readMethod(world, id).method,
  'POST payment_methods/:id': (world, id, params) => update(readMethod(world, id).method, params),
  'POST payment_methods/:id/detach': (world, id) => detach(world, id),
  'POST test_helpers/confirmation_tokens': createToken,
  'GET confirmation_tokens/:id': retrieveToken,
  'GET payment_intents': (world, _id, params) => listPage(world.payments.values(), params),
  'POST payment_intents': (world, _id, params) => createPayment(world, params),
  'GET payment_intents/:id': payment,
  'POST payment_intents/:id': (world, id, params) => update(payment(world, id), params),
  'POST payment_intents/:id/confirm': (world, id, params) => confirmPayment(world, payment(world, id), params),
  'POST payment_intents/:id/cancel': (world, id, params) => cancelPayment(world, payment(world, id), params),
  'GET setup_intents': (world, _id, params) => listPage(world.setups.values(), params),
  'POST setup_intents': (world, _id, params) => createSetup(world, params),
  'GET setup_intents/:id': setup,
  'POST setup_intents/:id': (world, id, params) => update(setup(world, id), params),
  'POST setup_intents/:id/confirm': (world, id, params) => confirmSetup(world, setup(world, id), params),
  'POST setup_intents/:id/cancel': (world, id, params) => cancelSetup(world, setup(world, id), params),
  'POST setup_intents/:id/verify_microdeposits': (world, id, params) => verifySetup(world, setup(world, id), params),
  'GET refunds': (world, _id, params) => listPage(world.refunds.values(), params),
  'POST refunds': (world, _id, params) => createRefund(world, params),
  'GET refunds/:id': (world, id) => found(world.refunds, id, 'refund'),
  'GET disputes': (world, _id, params) => listPage(world.disputes.values(), params),
};

/** Carries a request out. Answers with a copy of the objects, with those in full that the request asks for. */
export function carryOut(world: World, request: { method: string; path: string; params: Params }): unknown {
  const { method, params } = request;
  const [resource = '', id = '', action] = request.path.replace(/^\/v1\//, '').split('/');
  const named = [resource, ...(id ? [':id'] : []), ...(action ? [action] : [])].join('/');
  const handler = ROUTES[`${method} ${resource}/${id}`] ?? ROUTES[`${method} ${named}`];
  if (!handler) throw missing('route', `${method} ${request.path}`);
  const answer = structuredClone(handler(world, id, params));
  const paths = Object.values(textsIn(params, 'expand'));
  for (const path of paths) expand(world, answer, path.split('.'));
  return answer;
}

/** Replaces ids in an answer by their objects. */
function expand(world: World, answer: unknown, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  if (Array.isArray(answer)) for (const one of answer) expand(world, one, path);
  else if (typeof answer === 'object' && answer !== null) {
    const object: Record<string, unknown> = Object(answer);
    const value = object[name];
    if (typeof value === 'string') object[name] = structuredClone(objectOf(world, value)) ?? value;
    if (rest.length > 0) expand(world, object[name], rest);
  }
}

function objectOf(world: World, id: string): Intent | object | undefined {
  const { payments, charges } = world;
  return payments.get(id) ?? charges.get(id) ?? world.methods.get(id)?.method;
}
