export type Environment = Readonly<Record<string, string | undefined>>

/** The process's environment as it is now. The only place that reads it. */
export const readEnvironment = (): Environment => ({ ...process.env })
