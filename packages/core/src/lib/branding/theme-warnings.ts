import type { WarningCode } from '../base/logger.ts'
import { contrast, over, parseColor } from './color.ts'
import { cssColor, imageUrl, type Theme } from './theme.ts'

/**
 * Invalid colours and images are left out: no one is locked out because of how a page looks.
 */
export function themeWarnings({ brandColor, buttonText, logo }: Theme): readonly WarningCode[] {
  const warnings: WarningCode[] = []
  if ([brandColor, buttonText].some(each => each && !cssColor(each))) warnings.push('theme-color')
  const colors = [brandColor, buttonText].map(each => parseColor(cssColor(each) ?? ''))
  const [brand, text] = colors
  if (brand && text && brand.alpha === 1 && contrast(over(text, brand), brand) < 4.5) {
    warnings.push('theme-contrast')
  }
  if (logo && !imageUrl(logo)) warnings.push('theme-logo')
  return warnings
}
