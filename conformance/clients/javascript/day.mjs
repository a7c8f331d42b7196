// A day's work with the official JavaScript client, version 8.
// usage: node day.mjs URL
import assert from 'node:assert/strict'
import { Client, errors } from '@elastic/elasticsearch'

const index = 'clients-js'
const es = new Client({ node: process.argv[2], compression: true })

const steps = {
  async create () {
    assert.equal(await es.ping(), true)
    await es.indices.delete({ index: [index, index + '-2'], ignore_unavailable: true })
    await es.indices.create({
      index,
      mappings: { properties: { title: { type: 'text' }, kind: { type: 'keyword' }, n: { type: 'long' }, at: { type: 'date' } } }
    })
    assert.equal(await es.indices.exists({ index }), true)
  },

  async fill () {
    const documents = Array.from({ length: 300 }, (_, i) => ({
      title: `thing ${i}`, kind: `k${i % 3}`, n: i, at: new Date(Date.UTC(2024, 0, 1 + (i % 60)))
    }))
    const result = await es.helpers.bulk({
      datasource: documents,
      flushBytes: 8000,
      refreshOnCompletion: index,
      onDocument: (d) => ({ index: { _index: index, _id: String(d.n) } })
    })
    assert.equal(result.successful, 300)
    assert.equal(result.failed, 0)
    const { count } = await es.count({ index })
    assert.equal(count, 300)
    const dropped = []
    const broken = await es.helpers.bulk({
      datasource: [{ n: 'x' }],
      onDocument: () => ({ index: { _index: index, _id: 'broken' } }),
      onDrop: (d) => dropped.push(d)
    })
    assert.equal(broken.failed, 1)
    assert.equal(dropped[0].error.type, 'document_parsing_exception')
  },

  async read () {
    const one = await es.get({ index, id: '7' })
    assert.equal(one._source.title, 'thing 7')
    const many = await es.mget({ index, ids: ['1', 'none'] })
    assert.deepEqual(many.docs.map((d) => d.found), [true, false])
    await assert.rejects(es.get({ index, id: 'none' }), (e) => e instanceof errors.ResponseError && e.statusCode === 404)
    await assert.rejects(es.search({ index: 'clients-js-none' }), (e) =>
      e.meta.body.error.type === 'index_not_found_exception' && e.meta.body.error['resource.id'] === 'clients-js-none')
  },

  async search () {
    const found = await es.search({
      index,
      query: { bool: { must: { match: { title: 'thing 42' } }, filter: { range: { n: { lte: 100 } } } } },
      size: 2
    })
    assert.equal(found.hits.hits[0]._id, '42')
    const sources = await es.helpers.search({ index, query: { term: { kind: 'k1' } }, size: 3 })
    assert.equal(sources.length, 3)
    const { aggregations } = await es.search({
      index,
      size: 0,
      aggs: {
        kinds: { terms: { field: 'kind' }, aggs: { n: { avg: { field: 'n' } } } },
        weeks: { date_histogram: { field: 'at', calendar_interval: 'week' } }
      }
    })
    assert.deepEqual(aggregations.kinds.buckets.map((b) => [b.key, b.doc_count, b.n.value]), [['k0', 100, 148.5], ['k1', 100, 149.5], ['k2', 100, 150.5]])
    assert.equal(aggregations.weeks.buckets[0].key_as_string, '2024-01-01T00:00:00.000Z')
  },

  async page () {
    const seen = new Set()
    let after
    for (;;) {
      const { hits } = await es.search({ index, size: 70, sort: [{ at: 'desc' }, { n: 'asc' }], search_after: after, _source: false })
      if (hits.hits.length === 0) break
      for (const h of hits.hits) seen.add(h._id)
      after = hits.hits.at(-1).sort
    }
    assert.equal(seen.size, 300)
  },

  async update () {
    const { _seq_no: ifSeqNo, _primary_term: ifTerm } = await es.get({ index, id: '1' })
    const first = await es.update({ index, id: '1', doc: { n: 1001 }, if_seq_no: ifSeqNo, if_primary_term: ifTerm, refresh: 'wait_for' })
    assert.equal(first.result, 'updated')
    await assert.rejects(es.update({ index, id: '1', doc: { n: 1002 }, if_seq_no: ifSeqNo, if_primary_term: ifTerm }), (e) => e.statusCode === 409)
    const upserted = await es.update({ index, id: 'new', doc: { n: 5 }, doc_as_upsert: true })
    assert.equal(upserted.result, 'created')
    const gone = await es.delete({ index, id: 'new' })
    assert.equal(gone.result, 'deleted')
  },

  async aliases () {
    await es.indices.create({ index: index + '-2', aliases: { [index + '-current']: { is_write_index: true } } })
    await es.indices.updateAliases({ actions: [{ add: { index, alias: index + '-all' } }, { add: { index: index + '-2', alias: index + '-all' } }] })
    const all = await es.indices.getAlias({ name: index + '-all' })
    assert.deepEqual(Object.keys(all).sort(), [index, index + '-2'])
    const written = await es.index({ index: index + '-current', document: { a: 1 }, refresh: true })
    assert.equal(written._index, index + '-2')
    const { count } = await es.count({ index: index + '-all' })
    assert.equal(count, 301)
    await es.indices.delete({ index: [index, index + '-2'] })
  }
}

for (const [name, step] of Object.entries(steps)) {
  await step()
  console.log('ok', name)
}
console.log('elasticsearch-js has done its day')
await es.close()
