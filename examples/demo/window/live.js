// Runs in the browser: <live-events src="…"> adds events to its list while they happen. It is an
// element of its own, so that it works wherever and whenever a framework puts it into the page.
customElements.define(
  'live-events',
  class extends HTMLElement {
    connectedCallback() {
      const list = this.querySelector('ol')
      this.source = new EventSource(this.getAttribute('src'))
      // Who connects, or connects again, is told everything from the beginning.
      let isFirst = true
      this.source.onopen = () => {
        isFirst = true
      }
      this.source.onmessage = ({ data }) => {
        if (isFirst) list.replaceChildren()
        isFirst = false
        const event = JSON.parse(data)
        list.prepend(entry(event))
        // It may have been the session of this very page.
        if (event.name === 'endSession' && Date.parse(event.at) > performance.timeOrigin) {
          location.reload()
        }
      }
    }

    disconnectedCallback() {
      this.source.close()
    }
  },
)

function entry({ at, app, name, words }) {
  const item = document.createElement('li')
  const time = new Date(at).toLocaleTimeString('en-GB')
  item.append(element('time', time), element('code', name), element('small', app))
  item.append(element('span', words))
  return item
}

function element(tag, textContent) {
  return Object.assign(document.createElement(tag), { textContent })
}
