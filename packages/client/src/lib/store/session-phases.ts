/** What a store does to find out who is signed in. */
export type Phase =
  /** It knows, or tries again later. */
  | 'resting'
  /** It looks whether another tab is asking, whose answer will do. */
  | 'waiting'
  /** A request of this tab is under way. */
  | 'asking'

/** What may happen to a store. */
export type PhaseEvent =
  /** Somebody wants to know, and this tab has to ask. */
  | 'ask'
  /** Somebody wants to know, and any tab may ask. */
  | 'share'
  /** No other tab is asking, or the one that is has taken too long. */
  | 'turn'
  /** An answer came, whoever asked for it. */
  | 'answer'
  /** The request of this tab was answered, or failed. */
  | 'done'

const PHASES: Readonly<Record<Phase, Readonly<Partial<Record<PhaseEvent, Phase>>>>> = {
  resting: { ask: 'asking', share: 'waiting' },
  waiting: { ask: 'asking', turn: 'asking', answer: 'resting' },
  asking: { done: 'resting' },
}

/** The phase after an event. What the table leaves out changes nothing: who wants to know waits for what is under way. */
export function next(phase: Phase, event: PhaseEvent): Phase {
  return PHASES[phase][event] ?? phase
}
