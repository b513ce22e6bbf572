/** Services that read in a format of their own (docs/integrations.md). */
export const integrationNames = ['dexscreener'] as const
export type IntegrationName = (typeof integrationNames)[number]
