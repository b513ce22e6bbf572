/**
 * The message of anything that was thrown. Node reports a host with several addresses as an
 * AggregateError without a message of its own: the first attempt stands for all.
 */
export const errorText = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return errorText(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
