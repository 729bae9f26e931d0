/** How the holder of a lease begins who unlinks accounts of a user. No sign-in ends that lease. */
export const UNLINK = 'unlink:'

export function isOfUnlink(holder: string): boolean {
  return holder.startsWith(UNLINK)
}
