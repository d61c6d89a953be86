// Medians with their quartiles, lines through points, and the order of arms.

export function spread(values) {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** `median (low to high)`. */
export function spreadText(values, digits = 0) {
  const { median, low, high } = spread(values);
  const text = (value) => numberText(value, digits);
  return `${text(median)} (${text(low)} to ${text(high)})`;
}

/** `median (least to most)`. */
export function rangeText(values, digits = 0) {
  const text = (value) => numberText(value, digits);
  return `${text(quantile(values, 0.5))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

/** With separators of thousands, and with this many digits behind the point. */
export function numberText(value, digits = 0) {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The straight line with the least squares through points `[x, y]`, and the mean of y. */
export function lineThrough(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spreadX = mean(([x]) => (x - meanX) ** 2);
  const slope = spreadX === 0 ? 0 : mean(([x, y]) => (x - meanX) * (y - meanY)) / spreadX;
  return { slope, mean: meanY };
}

/** The same values in a random order. */
export function shuffled(list) {
  return list
    .map((item) => [Math.random(), item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}
