// What Astro's module of that name says: no variable is set.
export function getSecret(_name: string): string | undefined {
  return undefined
}
