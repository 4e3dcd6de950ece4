// What is set, as the link holds it: see evalcore/learning/playground.py.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

function shapeFrom(texts) {
  if (texts.length === 1) return { heights: [...texts[0]].map(letter => DIGITS.indexOf(letter)) }
  const [mean, spread, skew] = texts.map(Number)
  return { mean, spread, skew }
}

const shapeTexts = shape => shape.heights
  ? [shape.heights.map(height => DIGITS[height]).join("")]
  : [shape.mean, shape.spread, shape.skew].map(written)

// In the digits that Python writes.
const written = value => String(Number(value.toPrecision(6)))

function stateFrom([positives, negatives, [prevalence, rows, seed, threshold], game = ["own", "", "0"], kept = null]) {
  const half = kept && (kept.length - 1) / 2
  return {
    positives: shapeFrom(positives), negatives: shapeFrom(negatives),
    prevalence: Number(prevalence), rows: Number(rows), seed: Number(seed), threshold: Number(threshold),
    all: game[0] === "all", guesses: game[1], pairs: Number(game[2]),
    kept: kept && {
      positives: shapeFrom(kept.slice(0, half)), negatives: shapeFrom(kept.slice(half, 2 * half)), prevalence: Number(kept.at(-1)),
    },
  }
}

function listsOf(state) {
  const { positives, negatives, prevalence, rows, seed, threshold, all, guesses, pairs, kept } = state
  const lists = [shapeTexts(positives), shapeTexts(negatives), [prevalence, rows, seed, threshold].map(written)]
  if (all || guesses || pairs || kept) lists.push([all ? "all" : "own", guesses, String(pairs)])
  if (kept) lists.push([...shapeTexts(kept.positives), ...shapeTexts(kept.negatives), written(kept.prevalence)])
  return lists
}

const copyOf = shape => (shape.heights ? { heights: [...shape.heights] } : { ...shape })
