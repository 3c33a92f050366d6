/**
 * Pictures of typegrad graphs: the order of boxes and bends within their ranks, so that few wires cross.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  /** The entities (boxes and bends) of each rank as a depth-first walk finds them: neighbours of neighbours together. */
  function firstOrder(rank, below) {
    const layers = Array.from({ length: rank.reduce((a, b) => Math.max(a, b), 0) + 1 }, () => []);
    const isSeen = new Uint8Array(rank.length);
    const byRank = rank.map((_, entity) => entity).sort((p, q) => rank[p] - rank[q] || p - q);
    for (const root of byRank) {
      const waiting = [root];
      while (waiting.length > 0) {
        const entity = waiting.pop();
        if (isSeen[entity]) continue;
        isSeen[entity] = 1;
        layers[rank[entity]].push(entity);
        for (let i = below[entity].length - 1; i >= 0; i--) waiting.push(below[entity][i]);
      }
    }
    return layers;
  }

  /** How many pairs of hops cross between two neighbouring ranks, counted with a binary indexed tree. */
  function crossingsBetween(upper, lowerSize, below, position) {
    const tree = new Int32Array(lowerSize + 1);
    let crossings = 0;
    let total = 0;
    for (const entity of upper) {
      const ends = below[entity].map((each) => position[each]).sort((a, b) => a - b);
      for (const end of ends) {
        let atMost = 0;
        for (let i = end + 1; i > 0; i -= i & -i) atMost += tree[i];
        crossings += total - atMost;
      }
      for (const end of ends) {
        total++;
        for (let i = end + 1; i <= lowerSize; i += i & -i) tree[i]++;
      }
    }
    return crossings;
  }

  /** How many pairs of hops cross in all. */
  function countCrossings(layers, below, position) {
    const upper = layers.slice(0, -1);
    return upper.reduce((sum, layer, r) => sum + crossingsBetween(layer, layers[r + 1].length, below, position), 0);
  }

  /** Sort a rank by the mean position of each entity's neighbours in the rank beside it. */
  function sortByNeighbours(layer, neighbours, position, otherSize) {
    const scale = otherSize / Math.max(1, layer.length);
    const key = new Map();
    layer.forEach((entity, i) => {
      const near = neighbours[entity];
      key.set(entity, near.length ? near.reduce((sum, each) => sum + position[each], 0) / near.length : i * scale);
    });
    layer.sort((p, q) => key.get(p) - key.get(q) || position[p] - position[q]);
    layer.forEach((entity, i) => (position[entity] = i));
  }

  /** Exchange neighbours in their rank while that removes crossings. */
  function exchange(layers, above, below, position) {
    const pairCrossings = (p, q, neighbours) => {
      let sum = 0;
      for (const a of neighbours[p]) for (const b of neighbours[q]) sum += position[a] > position[b] ? 1 : 0;
      return sum;
    };
    for (const layer of layers) {
      for (let i = 0; i + 1 < layer.length; i++) {
        const [p, q] = [layer[i], layer[i + 1]];
        const now = pairCrossings(p, q, above) + pairCrossings(p, q, below);
        const then = pairCrossings(q, p, above) + pairCrossings(q, p, below);
        if (then >= now) continue;
        [layer[i], layer[i + 1], position[p], position[q]] = [q, p, position[q], position[p]];
      }
    }
  }

  /** The entities of each rank from left to right, with few crossings: barycenter sweeps down and up, the best kept. */
  function orderRanks(rank, hops) {
    const above = rank.map(() => []);
    const below = rank.map(() => []);
    for (const { upper, lower, isLong } of hops) {
      if (isLong) continue;
      below[upper].push(lower);
      above[lower].push(upper);
    }
    let layers = firstOrder(rank, below);
    const position = new Int32Array(rank.length);
    for (const layer of layers) layer.forEach((entity, i) => (position[entity] = i));
    let best = layers.map((layer) => layer.slice());
    let fewest = countCrossings(layers, below, position);
    const sweeps = rank.length < 1500 ? 16 : 6;
    for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
      if (sweep % 2 === 0) {
        for (let r = 1; r < layers.length; r++) sortByNeighbours(layers[r], above, position, layers[r - 1].length);
      } else {
        for (let r = layers.length - 2; r >= 0; r--) sortByNeighbours(layers[r], below, position, layers[r + 1].length);
      }
      if (rank.length < 600) exchange(layers, above, below, position);
      const crossings = countCrossings(layers, below, position);
      if (crossings < fewest) {
        fewest = crossings;
        best = layers.map((layer) => layer.slice());
      }
    }
    layers = best;
    for (const layer of layers) layer.forEach((entity, i) => (position[entity] = i));
    return { layers, position };
  }

  typegradGraph.crossings = { orderRanks, countCrossings };
})();
