/** The browser and system, by the names that users know. Null if the header does not name them. */
export interface NamedDevice {
  /** Such as `Firefox`. */
  readonly browser: string | null
  /** Such as `Windows`. */
  readonly system: string | null
}

type Signs = readonly (readonly [sign: RegExp, name: string])[]

// Browsers also claim to be those that they were made from, so the rarer come first.
const BROWSERS: Signs = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS|Opera)\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\bBrave\//, 'Brave'],
  [/\bElectron\//, 'a desktop app'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: Signs = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/**
 * Returns the browser and system of a `User-Agent`: names from a list, and nothing else of the text, which anyone may
 * have chosen.
 */
export function nameDevice(userAgent: string | null | undefined): NamedDevice {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH)
  return { browser: nameBy(BROWSERS, text), system: nameBy(SYSTEMS, text) }
}

/** How much of a `User-Agent` is kept. Those of browsers have some 150 letters. */
export const MAX_USER_AGENT_LENGTH = 400

function nameBy(signs: Signs, text: string): string | null {
  return signs.find(([sign]) => sign.test(text))?.[1] ?? null
}
