/** How issuers end the names of their tokens: "NVIDIA • Robinhood Token". */
const issuerSuffix = /^(.+) • ([^•]{1,60}) Token$/u

/** The company's name and, where the listing's wording tells it, the issuer's. */
export const listingNameOf = (
  text: string,
): { readonly name: string; readonly issuer: string | null } => {
  const match = issuerSuffix.exec(text)
  const [, name, issuer] = match ?? []
  return name === undefined || issuer === undefined
    ? { name: text, issuer: null }
    : { name, issuer }
}
