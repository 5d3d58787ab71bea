const CONFIGURATION = /^([a-z]{1,16})_(\d{1,9})_(\d{1,10})$/;

/** Identifies a provider of texts or mail. The address to which it sends its events ends with these three. */
export interface ProviderConfiguration {
  provider: string;
  accountId: number;
  id: number;
}

export function providerConfigurationName({ provider, accountId, id }: ProviderConfiguration): string {
  return `${provider}_${accountId}_${id}`;
}

/** Null: it is no address of a configuration. */
export function readProviderConfiguration(name: string): ProviderConfiguration | null {
  const [, provider, accountId, id] = CONFIGURATION.exec(name) ?? [];
  if (provider === undefined) return null;
  const read = { provider, accountId: Number(accountId), id: Number(id) };
  return read.id <= 2 ** 31 - 1 ? read : null;
}
