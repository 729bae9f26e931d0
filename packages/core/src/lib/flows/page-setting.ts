import type { Frame } from '../config/resolved.ts'
import type { PageSetting } from '../pages/layout.ts'

/** What every built-in page is told, whatever it is about. */
export function settingOf(frame: Frame, origin: string): PageSetting {
  return {
    theme: frame.theme,
    site: origin,
    host: new URL(origin).host,
    assets: `${frame.paths.public}/assets`,
  }
}
