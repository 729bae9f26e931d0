import picocolors from 'picocolors'

/** Colours, or none. */
export type Painter = ReturnType<typeof picocolors.createColors>

export function createPainter(colours: boolean): Painter {
  return picocolors.createColors(colours)
}
