export type PageQuery = { readonly limit: number; readonly offset: number }
