/** What tests read. */
export function Who({ session }: { session: { user?: { name?: unknown } | undefined } | null }) {
  return <pre id="who">{JSON.stringify(session?.user ?? null)}</pre>
}
