/** The secrets of an audience, if there is one: what is made with them is of no use to others. */
export function secretsFor(
  audience: string | undefined,
  secrets: readonly string[],
): readonly string[] {
  return audience === undefined ? secrets : secrets.map(secret => `${secret} ${audience}`)
}
