import {
  CATEGORIES,
  CLOUDS,
  OPEN_COUNTRIES,
  REGIONS,
  REGISTRIES,
  SUFFIXES,
  SUFFIXES_BELOW,
} from './public-suffixes.ts'

/** The judgement on the hosts that a pattern stands for. */
export type HostRegistration =
  /** One owner decides who gets such a host. */
  | 'owned'
  /** Anyone can get one. */
  | 'open'
  /** Whether anyone can get one is not known here. */
  | 'unknown'
  /** There are no such hosts. */
  | 'malformed'

/** Judges an entry of a list of hosts in which a `*` replaces a label, or a part of one. */
export function judgePattern(entry: string): HostRegistration {
  const labels = entry.toLowerCase().replace(/:\d+$/, '').split('.')
  if (!labels.every(isLabel) || /^\d+$/.test(labels.at(-1) ?? '')) return 'malformed'
  const at = labels.findLastIndex(label => label.includes('*'))
  const parent = labels.slice(at + 1)
  // RFC 6761 §6.3: those names never leave the machine.
  if (at === -1 || parent.at(-1) === 'localhost') return 'owned'
  const registration = judgeParent(parent)
  // Some platforms reserve an ending for each customer, as in `*--my-site.netlify.app`.
  return registration === 'open' && /[^*]$/.test(labels[at] ?? '') && parent.length > 1
    ? 'unknown'
    : registration
}

function isLabel(text: string): boolean {
  return /^[\w-]*\*?[\w-]*$/.test(text) && text !== ''
}

/** Who registers names directly below a domain. */
function judgeParent(labels: readonly string[]): HostRegistration {
  const [second = '', top = ''] = labels.slice(-2)
  if (labels.length < 2) return 'open'
  const name = labels.join('.')
  if (SUFFIXES.has(name) || SUFFIXES_BELOW.has(name) || REGISTRIES.has(name)) return 'open'
  if (labels.length === 3 && SUFFIXES_BELOW.has(labels.slice(1).join('.'))) return 'open'
  if (CLOUDS.has(`${second}.${top}`)) return 'unknown'
  if (isRegion(labels[0] ?? '') && SUFFIXES.has(labels.slice(1).join('.'))) return 'unknown'
  return top.length === 2 ? judgeCountry(labels, second, top) : 'owned'
}

/** Whether a label looks like a region, such as `eu` or `us-east-1`: below it, anyone can get a name as well. */
function isRegion(label: string): boolean {
  return /^[a-z]{2}(?:(?:-[a-z]+)+-\d)?$/.test(label)
}

/** Registries of countries give out names below categories, such as `co.uk`, or below regions. */
function judgeCountry(labels: readonly string[], second: string, top: string): HostRegistration {
  const isDirect = labels.length === 2
  if (isDirect && (CATEGORIES.has(second) || OPEN_COUNTRIES.has(top))) return 'open'
  const mayBeRegion = REGIONS.has(top) && second.length <= 3 && !CATEGORIES.has(second)
  return mayBeRegion && (isDirect || top === 'us') ? 'unknown' : 'owned'
}
