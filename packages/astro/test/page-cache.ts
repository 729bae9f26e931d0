interface Wish {
  readonly maxAge?: number
}

/** Astro's cache of one page, as far as it is asked: it obeys whoever speaks last. */
export function cacheFor(rule: Wish) {
  let wished: Wish = rule
  return {
    enabled: true,
    set(wish: Wish | false) {
      wished = wish || {}
    },
    get options() {
      return { ...wished, tags: [] }
    },
  }
}
