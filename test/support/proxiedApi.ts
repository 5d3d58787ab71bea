import type { DatabaseUrls } from '../../adapters/databaseLogins.ts';
import { createServer } from '../../api/server.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { type Answer, basic, type RequestHeaders, send, startApi, type TestApi } from './api.ts';
import { type DatabaseProxy, startDatabaseProxy } from './databaseProxy.ts';

/** An API that reaches its database through a proxy, beside one that reaches it directly. */
export interface ProxiedApi {
  /** Reaches the database directly. */
  api: TestApi;
  proxy: DatabaseProxy;
  database: Database;
  owner: Connection;
  origin: string;
  ask(method: string, path: string, more?: { body?: object; headers?: RequestHeaders }): Promise<Answer>;
  /** Creates a customer. */
  create(name: string, headers?: RequestHeaders): Promise<Answer>;
  /** Number of the customers of this name. */
  stored(name: string): Promise<number>;
  close(): Promise<void>;
}

/** `urlsOf`: changes the URLs by which the API connects. */
export async function startProxiedApi(urlsOf = (urls: DatabaseUrls): DatabaseUrls => urls): Promise<ProxiedApi> {
  const api = await startApi();
  const owner = await connect(api.databaseUrl);
  const proxy = await startDatabaseProxy(api.databaseUrls);
  const database = openDatabase({ urls: urlsOf(proxy.urls), poolSize: 4 });
  const server = createServer({ ...api.deps, em: database.em });
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const ask: ProxiedApi['ask'] = (method, path, { body, headers = {} } = {}) =>
    send(`${origin}/sandbox/api${path}`, { method, headers: { ...basic(api.sandbox.key), ...headers }, body });
  return {
    api,
    proxy,
    database,
    owner,
    origin,
    ask,
    create: (name, headers = {}) => ask('POST', '/customers', { body: { name }, headers }),
    stored: async (name) => (await owner.query('select 1 from customer where name = $1', [name])).length,
    close: async () => {
      await server.close();
      await database.close(true);
      await proxy.close();
      await owner.close();
      await api.close();
    },
  };
}
