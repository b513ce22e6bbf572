/** How far it is, in rows of the table that the phase is named after. */
export type TransferStep = { readonly phase: string; readonly done: number; readonly total: number }
