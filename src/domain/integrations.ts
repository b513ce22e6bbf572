/** Services that read in a format of their own (docs/integrations.md). */
export const integrationNames = ['dexscreener', 'coingecko'] as const
export type IntegrationName = (typeof integrationNames)[number]
