import type { ProviderFacts } from './provider-facts.ts'

/** The providers whose names have a word in them, the best fit first: exactly, at the beginning, anywhere. */
export function searchProviders(
  catalogue: readonly ProviderFacts[],
  wanted: string,
): readonly ProviderFacts[] {
  const word = plain(wanted)
  const ranked = catalogue.map(facts => {
    const names = [facts.id, facts.module, facts.title, facts.name].map(plain)
    if (names.includes(word)) return { facts, rank: 0 }
    if (names.some(name => name.startsWith(word))) return { facts, rank: 1 }
    return { facts, rank: names.some(name => name.includes(word)) ? 2 : 3 }
  })
  return ranked
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ facts }) => facts)
}

/** Names that differ from another in a letter or two: what somebody meant who mistyped it. */
export function closestNames(wanted: string, names: readonly string[]): readonly string[] {
  return names
    .map(name => ({ name, distance: distance(plain(wanted), plain(name)) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** How many letters have to be added, removed or replaced. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
