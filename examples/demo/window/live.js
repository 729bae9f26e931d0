// Runs in the browser: adds events to the list while they happen.
for (const list of document.querySelectorAll('[data-events]')) {
  let isEmpty = true
  const source = new EventSource(list.dataset.events)
  source.onmessage = ({ data }) => {
    const { at, app, name, words } = JSON.parse(data)
    if (isEmpty) list.replaceChildren()
    isEmpty = false
    list.prepend(entry(new Date(at), app, name, words))
    while (list.children.length > 20) list.lastChild.remove()
  }
  // A connection that comes back tells everything again.
  source.onopen = () => {
    isEmpty = true
  }
}

function entry(at, app, name, words) {
  const item = document.createElement('li')
  const time = at.toLocaleTimeString('en-GB')
  item.append(element('time', time), element('code', name), element('small', app))
  item.append(element('span', words))
  return item
}

function element(tag, textContent) {
  return Object.assign(document.createElement(tag), { textContent })
}
