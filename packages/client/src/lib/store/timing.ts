// All in milliseconds.

/** Longer than anybody waits for an answer. Without a limit, one lost connection would hold up other tabs. */
export const PATIENCE: number = 30_000
/** A tab that comes to the front asks again, unless it knows from less than this ago. */
export const FOCUS_AGE: number = 5_000
/**
 * How long it takes to render a page: one that comes within this after the server was asked knows no more than the
 * answer. Where a user looks different each time, asking about each page that an answer leads to would go on forever.
 */
export const RENDER_TIME: number = 1_000
/** How long to rely on another tab that is asking. */
export const OTHER_TAB: number = 3_000
/** Doubled with every failure that follows. */
export const FIRST_RETRY: number = 1_000
export const LAST_RETRY: number = 60_000
export const MAX_TIMER: number = 2 ** 31 - 1
/** A page that is still there after this was not left. */
export const LEFT_WITHIN: number = 5_000
