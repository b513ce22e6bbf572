/**
 * The message of anything thrown. For a host with several addresses Node throws an AggregateError
 * without a message: the first attempt represents all.
 */
export const errorText = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return errorText(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
